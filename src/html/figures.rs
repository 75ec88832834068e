//! Sizes and times as people say them. Nothing is rounded that a program reads: pages only.

pub(crate) use crate::text::size;

/// `12 ms`, `1.4 s`, `3 min 07 s`, `2 h 05 min`.
pub fn time(millis: u64) -> String {
    let seconds = millis / 1000;
    match millis {
        0..1000 => format!("{millis} ms"),
        1000..60_000 => format!("{}.{} s", seconds, millis % 1000 / 100),
        60_000..3_600_000 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// `0.8 ms`, `12 ms`, and longer ones as [`time`].
pub fn short(micros: u64) -> String {
    match micros {
        0..10_000 => format!("{}.{} ms", micros / 1000, micros % 1000 / 100),
        _ => time(micros / 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_short() {
        let sizes = [0, 999, 1000, 99_949, 99_950, 999_499, 999_500, 2_000_000_000, u64::MAX].map(size);
        let said = ["0 B", "999 B", "1.0 kB", "99.9 kB", "100 kB", "999 kB", "1.0 MB", "2.0 GB", "18446744 TB"];
        assert_eq!(sizes.each_ref().map(|s| &**s), said);
        let times = [0, 999, 1000, 59_999, 60_000, 187_000, 3_600_000, 7_500_000].map(time);
        let said = ["0 ms", "999 ms", "1.0 s", "59.9 s", "1 min 00 s", "3 min 07 s", "1 h 00 min", "2 h 05 min"];
        assert_eq!(times.each_ref().map(|s| &**s), said);
        let short = [90, 800, 9_999, 12_345, 1_400_000].map(short);
        assert_eq!(short.each_ref().map(|s| &**s), ["0.0 ms", "0.8 ms", "9.9 ms", "12 ms", "1.4 s"]);
    }
}
