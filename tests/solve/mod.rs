//! Games for several roles, solved: what is known about all ends, random games against a judge,
//! and `ludens solve`.

mod commands;
mod random_sheets;
mod sheets;
mod sum;
