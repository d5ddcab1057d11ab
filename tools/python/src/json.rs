//! Reports as Python data: what scripts read as JSON becomes dictionaries and lists.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::Serialize;
use serde_json::Value;

use crate::errors::LudensError;

/// The Python data of anything that has a JSON form.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    value: &impl Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    let value =
        serde_json::to_value(value).map_err(|error| LudensError::new_err(error.to_string()))?;
    convert(py, &value)
}

fn convert<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(truth) => Ok(truth.into_pyobject(py)?.to_owned().into_any()),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Ok(number.into_pyobject(py)?.into_any()),
            (_, Some(number)) => Ok(number.into_pyobject(py)?.into_any()),
            _ => Ok(number.as_f64().into_pyobject(py)?),
        },
        Value::String(text) => Ok(text.into_pyobject(py)?.into_any()),
        Value::Array(values) => {
            let items = values.iter().map(|value| convert(py, value));
            Ok(PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any())
        }
        Value::Object(entries) => {
            let dict = PyDict::new(py);
            for (key, value) in entries {
                dict.set_item(key, convert(py, value)?)?;
            }
            Ok(dict.into_any())
        }
    }
}
