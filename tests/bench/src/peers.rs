//! Peers.
pub fn run(_: &[String]) -> Result<(), String> {
    Err("none".to_owned())
}
