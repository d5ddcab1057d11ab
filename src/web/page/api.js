// Requests to the server, and its events.

/** Asks the server; an error has its message. */
export async function ask(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const type = response.headers.get("Content-Type") || "";
  if (!response.ok) {
    const said = type.startsWith("application/json") ? (await response.json()).error : await response.text();
    throw new Error(said || response.statusText);
  }
  return type.startsWith("application/json") ? response.json() : response.blob();
}

export const get = (path) => ask("GET", path);
export const post = (path, body) => ask("POST", path, body);
export const remove = (path) => ask("DELETE", path);

/** Hears the events of a path until the returned function is called; `take` gets each as a value, one
    after the other. */
export function listen(path, take, ended = () => {}) {
  const source = new EventSource(path);
  let turn = Promise.resolve(), open = true;
  source.onmessage = (event) => { turn = turn.then(() => open && take(JSON.parse(event.data))); };
  // A stream that ends is over: the server has said all there is.
  source.onerror = () => { source.close(); turn.then(() => open && ended()); };
  return () => { open = false; source.close(); };
}

/** The same for a request with a body, which EventSource cannot send. */
export function stream(path, body, take, ended = () => {}) {
  const stop = new AbortController();
  (async () => {
    const response = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal: stop.signal });
    if (!response.ok) throw new Error((await response.json()).error);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
      let end;
      while ((end = text.indexOf("\n\n")) >= 0) {
        const data = text.slice(0, end).split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5)).join("\n");
        text = text.slice(end + 2);
        if (data) take(JSON.parse(data));
      }
    }
    ended();
  })().catch((error) => { if (error.name !== "AbortError") ended(error); });
  return () => stop.abort();
}
