//! Media RSS read and written again, without RSS or Atom around it.
