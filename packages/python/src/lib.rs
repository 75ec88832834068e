//! The module `transfeed._transfeed`: what the Python package (python/transfeed) calls. Values cross as text, bytes and
//! JSON; what users see is made of them in Python.

mod calls;
mod errors;
mod input;
mod reader;

use pyo3::prelude::*;

#[pymodule]
mod _transfeed {
    use super::*;
    #[pymodule_export]
    use crate::calls::{
        check_options, convert, convert_file, default_options, diff, explain, fields_within, formats, inspect,
        loss_words, panic, run, save, validate,
    };
    #[pymodule_export]
    use crate::input::HeldInput;
    #[pymodule_export]
    use crate::reader::EntryReader;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
