//! Selects the inputs for one machine of several, by a hash of their names. It depends only on the name, so that
//! machines need not communicate.

use std::fmt;
use std::path::Path;

use super::{bytes_of, digest};

/// One of several shares, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which one.
    pub number: u32,
    /// Of how many.
    pub of: u32,
}

impl Shard {
    /// Whether the input with this path is in it.
    pub fn holds(&self, path: &Path) -> bool {
        let hash = u64::from_str_radix(&digest(bytes_of(path), 16), 16).unwrap_or(0);
        hash % u64::from(self.of) == u64::from(self.number - 1)
    }
}

/// The variables by which a system for array jobs names the task, and some of them the number of all.
struct ArrayJob {
    index: &'static str,
    /// The index of the first task, where that may be another than 0.
    first: Option<&'static str>,
    count: Option<&'static str>,
}

/// Kubernetes (indexed Jobs), AWS Batch, Cloud Run jobs, Slurm.
const ARRAY_JOBS: [ArrayJob; 4] = [
    ArrayJob { index: "JOB_COMPLETION_INDEX", first: None, count: None },
    ArrayJob { index: "AWS_BATCH_JOB_ARRAY_INDEX", first: None, count: Some("AWS_BATCH_JOB_ARRAY_SIZE") },
    ArrayJob { index: "CLOUD_RUN_TASK_INDEX", first: None, count: Some("CLOUD_RUN_TASK_COUNT") },
    ArrayJob {
        index: "SLURM_ARRAY_TASK_ID",
        first: Some("SLURM_ARRAY_TASK_MIN"),
        count: Some("SLURM_ARRAY_TASK_COUNT"),
    },
];

/// The value of an environment variable.
pub type Variables<'v> = dyn Fn(&str) -> Option<String> + 'v;

impl Shard {
    /// Reads `2/4`, or `auto/4`: then the environment names the task.
    ///
    /// # Errors
    /// Something else, or an environment that names none of so many tasks.
    pub fn parse(text: &str, variables: &Variables<'_>) -> Result<Shard, String> {
        let wrong = || "expected a shard such as 1/4, 4/4 or auto/4".to_owned();
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        let of: u32 = digits(of).filter(|of| *of >= 1).ok_or_else(wrong)?;
        let number = match number {
            "auto" => automatic(of, variables)?,
            number => digits(number).ok_or_else(wrong)?,
        };
        Some(Shard { number, of }).filter(|shard| (1..=of).contains(&shard.number)).ok_or_else(wrong)
    }
}

/// The number of the task that this process is.
fn automatic(of: u32, variables: &Variables<'_>) -> Result<u32, String> {
    let mut found: Option<(&str, u32)> = None;
    for job in &ARRAY_JOBS {
        let Some(index) = read(job.index, variables)? else { continue };
        let first = job.first.map_or(Ok(None), |name| read(name, variables))?.unwrap_or(0);
        if let Some((name, count)) = job.count.zip(job.count.map_or(Ok(None), |name| read(name, variables))?)
            && count != of
        {
            let repeated = match job.first {
                // the shards of an array that began with 0, which is the usual one
                Some(_) => format!("; to repeat tasks of --array=0-{}, pass $(({}+1))/{of}", of - 1, job.index),
                None => String::new(),
            };
            return Err(format!(
                "{name} is {count}, so the other tasks would not convert all shards; pass auto/{count}{repeated}"
            ));
        }
        let number = index.checked_sub(first).filter(|index| *index < of).map(|index| index + 1);
        let Some(number) = number else {
            return Err(format!("{} is {index}, but there are {of} shards; start {of} tasks", job.index));
        };
        match found {
            Some((name, other)) if other != number => {
                return Err(format!("{name} and {} name different tasks; pass the shard as K/{of}", job.index));
            }
            _ => found = Some((job.index, number)),
        }
    }
    let names = ARRAY_JOBS.map(|job| job.index).join(", ");
    let missing = || format!("no variable names the task: auto reads {names}; pass the shard as K/{of}");
    found.map(|(_, number)| number).ok_or_else(missing)
}

/// The number in a variable, if it is set.
fn read(name: &str, variables: &Variables<'_>) -> Result<Option<u32>, String> {
    let value = variables(name).filter(|value| !value.is_empty());
    value.map(|value| digits(&value).ok_or_else(|| format!("{name} is {value:?}, which is not a number"))).transpose()
}

/// A number without a sign.
fn digits(text: &str) -> Option<u32> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_is_in_one_share() {
        let mut counts = [0; 3];
        for n in 0..300 {
            let path = format!("a/{n}.xml");
            let holding: Vec<usize> =
                (0..3).filter(|k| Shard { number: *k as u32 + 1, of: 3 }.holds(Path::new(&path))).collect();
            assert_eq!(holding.len(), 1);
            counts[holding[0]] += 1;
        }
        assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
    }

    #[test]
    fn the_hash_never_changes() {
        let held: Vec<u32> =
            (1..=16).filter(|number| Shard { number: *number, of: 16 }.holds(Path::new("a/b.xml"))).collect();
        // sha256("a/b.xml") begins with these 64 bits
        let bits = u64::from_str_radix(&digest(b"a/b.xml", 16), 16).expect("digits");
        assert_eq!(held, [(bits % 16) as u32 + 1]);
        assert_eq!(digest(b"abc", 16), "ba7816bf8f01cfea");
    }

    #[test]
    fn shares_are_read() {
        let none = |_: &str| None;
        assert_eq!(Shard::parse("2/3", &none), Ok(Shard { number: 2, of: 3 }));
        for wrong in
            ["0/3", "4/3", "1", "1/0", "a/b", "-1/2", "1/2/3", "auto", "auto/0", "auto/x", "auto/3", "+1/2", "1/+2"]
        {
            assert!(Shard::parse(wrong, &none).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_environment_names_the_share() {
        let parsed = |set: &[(&str, &str)]| {
            let set: Vec<(String, String)> =
                set.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
            let variables = |wanted: &str| set.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
            Shard::parse("auto/4", &variables).map(|shard| shard.to_string())
        };
        for (set, shard) in [
            (&[("JOB_COMPLETION_INDEX", "0")][..], "1/4"),
            (&[("AWS_BATCH_JOB_ARRAY_INDEX", "3"), ("AWS_BATCH_JOB_ARRAY_SIZE", "4")], "4/4"),
            (&[("CLOUD_RUN_TASK_INDEX", "1"), ("CLOUD_RUN_TASK_COUNT", "4")], "2/4"),
            (&[("SLURM_ARRAY_TASK_ID", "2")], "3/4"),
            (&[("SLURM_ARRAY_TASK_ID", "4"), ("SLURM_ARRAY_TASK_MIN", "1"), ("SLURM_ARRAY_TASK_COUNT", "4")], "4/4"),
            (&[("JOB_COMPLETION_INDEX", "1"), ("CLOUD_RUN_TASK_INDEX", "1")], "2/4"),
        ] {
            assert_eq!(parsed(set).as_deref(), Ok(shard), "{set:?}");
        }
        for (set, says) in [
            (&[][..], "no variable names the task: auto reads JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX,"),
            (&[("JOB_COMPLETION_INDEX", "")], "no variable names the task"),
            (&[("JOB_COMPLETION_INDEX", "4")], "JOB_COMPLETION_INDEX is 4, but there are 4 shards; start 4 tasks"),
            (&[("JOB_COMPLETION_INDEX", "one")], "JOB_COMPLETION_INDEX is \"one\", which is not a number"),
            (&[("JOB_COMPLETION_INDEX", "+1")], "JOB_COMPLETION_INDEX is \"+1\", which is not a number"),
            (
                &[("CLOUD_RUN_TASK_INDEX", "1"), ("CLOUD_RUN_TASK_COUNT", "5")],
                "CLOUD_RUN_TASK_COUNT is 5, so the other tasks would not convert all shards; pass auto/5",
            ),
            // two failed tasks of four are started again
            (
                &[("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_ARRAY_TASK_MIN", "1"), ("SLURM_ARRAY_TASK_COUNT", "2")],
                "SLURM_ARRAY_TASK_COUNT is 2, so the other tasks would not convert all shards; pass auto/2; to repeat \
                tasks of --array=0-3, pass $((SLURM_ARRAY_TASK_ID+1))/4",
            ),
            (&[("SLURM_ARRAY_TASK_ID", "0"), ("SLURM_ARRAY_TASK_MIN", "1")], "SLURM_ARRAY_TASK_ID is 0, but there"),
            (
                &[("JOB_COMPLETION_INDEX", "1"), ("SLURM_ARRAY_TASK_ID", "2")],
                "JOB_COMPLETION_INDEX and SLURM_ARRAY_TASK_ID name different tasks; pass the shard as K/4",
            ),
        ] {
            let error = parsed(set).expect_err("no share");
            assert!(error.starts_with(says), "{error}");
        }
    }
}
