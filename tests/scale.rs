//! What docs/scale.md tells to type and to hand to schedulers: each command of `migrate` runs here on the samples and on a
//! file that is no feed, with the variables that its system sets. The schedulers themselves are not here.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use yaml_rust2::{Yaml, YamlLoader};

use transfeed::job::shard::Shard;

use super::common::{files, program, scratch, shell};

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Samples that are converted.
const FEEDS: [&str; 6] = ["catalogue.mrss", "news.rss", "blog.atom", "videos.xml", "pages.xml", "urls.txt"];

/// The name of what is no feed.
const BROKEN: &str = "broken.rss";

fn page() -> String {
    fs::read_to_string(root("docs/scale.md")).expect("the page is there")
}

/// The blocks in a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    page.split(&fence).skip(1).filter_map(|rest| Some(rest.split_once("```")?.0.to_owned())).collect()
}

/// Commands of a shell, each on one line.
fn commands(page: &str) -> Vec<String> {
    let of_block = |block: &String| block.replace("\\\n", " ").lines().map(str::to_owned).collect::<Vec<_>>();
    blocks(page, "sh").iter().flat_map(of_block).collect()
}

/// A folder with feeds, and with one that is none.
fn folder(name: &str) -> PathBuf {
    let dir = scratch(name);
    fs::create_dir(dir.join("feeds")).expect("a folder");
    for sample in FEEDS {
        fs::copy(root("samples").join(sample), dir.join("feeds").join(sample)).expect("a copy");
    }
    fs::write(dir.join("feeds").join(BROKEN), "<html>oops</html>").expect("a file");
    dir
}

fn outputs(dir: &Path, below: &str) -> BTreeSet<PathBuf> {
    let mut found = Vec::new();
    files(dir.join(below), &mut found);
    let outputs = found.iter().filter_map(|path| path.strip_prefix(dir.join(below)).ok());
    outputs.filter(|path| !path.starts_with(".transfeed") && !path.starts_with("report")).map(Path::to_owned).collect()
}

/// The tasks that have something to do, of so many, and one that has not.
fn busy(tasks: usize) -> Vec<usize> {
    let names = [&FEEDS[..], &[BROKEN]].concat();
    let holds = |task: usize| {
        let shard = Shard { number: task as u32 + 1, of: tasks as u32 };
        names.iter().any(|name| shard.holds(Path::new(name)))
    };
    let (mut busy, idle): (Vec<usize>, Vec<usize>) = (0..tasks).partition(|task| holds(*task));
    busy.extend(idle.first());
    busy
}

/// What one machine makes of the feeds, for all tests, which run side by side.
fn expected() -> BTreeSet<PathBuf> {
    static FOUND: OnceLock<BTreeSet<PathBuf>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let dir = folder("scale-expected");
        let run = program(&dir).args(["migrate", "feeds", "--to", "video-sitemap", "--out", "out", "-q"]).output();
        assert_eq!(run.expect("a run").status.code(), Some(3), "one of them is no feed");
        outputs(&dir, "out")
    });
    assert_eq!(found.len(), 6, "{found:?}");
    found.clone()
}

/// Runs these words for each of so many tasks, with the number in this variable and their count in another.
fn array(dir: &Path, words: &[String], (index, count): (&str, Option<&str>), tasks: usize) {
    let shard = words.iter().position(|word| word == "--shard").map(|at| words[at + 1].clone());
    assert_eq!(shard, Some(format!("auto/{tasks}")), "{words:?}");
    for task in busy(tasks) {
        let mut command = program(dir);
        command.args(words).args(["-q", "--progress", "never"]).env(index, task.to_string());
        command.envs(count.map(|count| (count, tasks.to_string())));
        let run = command.output().expect("a run");
        // a feed that fails must not make a scheduler repeat the task
        assert_eq!(run.status.code(), Some(0), "{words:?}: {}", String::from_utf8_lossy(&run.stderr));
    }
}

/// A run that may fail for single feeds must name them: the exit code does not tell.
fn assert_failed_named(dir: &Path, report: &str) {
    let summaries = fs::read_dir(dir.join(report)).expect("a folder of reports").flatten().map(|entry| entry.path());
    let mut summaries = summaries.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let names = |path: PathBuf| fs::read_to_string(path).expect("a summary").contains(BROKEN);
    assert!(summaries.any(names), "no summary names {BROKEN}");
}

/// Words of a container, with its mounts replaced by folders that are here.
fn placed(words: impl IntoIterator<Item = impl AsRef<str>>, mounts: [&str; 2]) -> Vec<String> {
    let place = |word: &str| match word.strip_prefix(mounts[1]) {
        Some(rest) => format!("out{rest}"),
        None if word == mounts[0] => "feeds".to_owned(),
        None => word.to_owned(),
    };
    words.into_iter().map(|word| place(word.as_ref())).collect()
}

#[test]
fn one_machine() {
    let dir = folder("scale-one");
    let page = page();
    let command = page.lines().find_map(|line| line.strip_prefix("    transfeed migrate ")).expect("a command");
    let run = program(&dir).arg("migrate").args(command.split(' ')).output().expect("a run");
    assert_eq!(run.status.code(), Some(3), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(outputs(&dir, "sitemaps"), expected());
    assert!(dir.join("report/summary.json").is_file());
}

#[test]
fn kubernetes() {
    let dir = folder("scale-kubernetes");
    let block = blocks(&page(), "yaml").pop().expect("a job");
    let job = &YamlLoader::load_from_str(&block).expect("YAML")[0];
    let spec = &job["spec"]["template"]["spec"];
    let args = spec["containers"][0]["args"].as_vec().expect("words");
    let words = placed(args.iter().map(|word| word.as_str().expect("a word")), ["/in", "/out"]);
    let tasks = job["spec"]["completions"].as_i64().expect("a number") as usize;
    array(&dir, &words, ("JOB_COMPLETION_INDEX", None), tasks);
    assert_eq!(outputs(&dir, "out"), expected());
    assert_failed_named(&dir, "out/report");
    // the user of the image may write to a volume of root
    let user = fs::read_to_string(root("packages/image/Dockerfile")).expect("the image");
    let group = spec["securityContext"]["fsGroup"].as_i64().expect("a group");
    assert!(user.contains(&format!("USER {group}")), "{user}");
    assert_ne!(spec["containers"][0]["volumeMounts"], Yaml::BadValue);
}

#[test]
fn batch_and_cloud_run() {
    let page = page();
    let definition: serde_json::Value =
        serde_json::from_str(&blocks(&page, "json").pop().expect("a definition")).expect("JSON");
    let command = definition["containerProperties"]["command"].as_array().expect("words");
    let words = placed(command.iter().map(|word| word.as_str().expect("a word")), ["/data/in", "/data/out"]);
    let commands = commands(&page);
    let of = |begin: &str| commands.iter().find(|line| line.starts_with(begin)).unwrap_or_else(|| panic!("no {begin}"));
    let number = |line: &str, before: &str| -> usize {
        let (_, rest) = line.split_once(before).expect("the number of tasks");
        rest.split(' ').next().and_then(|word| word.parse().ok()).expect("a number")
    };
    let dir = folder("scale-batch");
    let tasks = number(of("aws batch submit-job"), "--array-properties size=");
    array(&dir, &words, ("AWS_BATCH_JOB_ARRAY_INDEX", Some("AWS_BATCH_JOB_ARRAY_SIZE")), tasks);
    assert_eq!(outputs(&dir, "out"), expected());
    assert_failed_named(&dir, "out/report");
    let name = definition["jobDefinitionName"].as_str().expect("a name");
    assert!(of("aws batch submit-job").contains(&format!("--job-definition {name} ")));
    let created = of("gcloud run jobs create");
    assert!(created.contains(" --execute-now"), "it would only be created");
    let args = created.split(' ').find_map(|word| word.strip_prefix("--args=")).expect("words");
    let dir = folder("scale-cloud-run");
    let tasks = number(created, "--tasks ");
    array(
        &dir,
        &placed(args.split(','), ["/in", "/out"]),
        ("CLOUD_RUN_TASK_INDEX", Some("CLOUD_RUN_TASK_COUNT")),
        tasks,
    );
    assert_eq!(outputs(&dir, "out"), expected());
    assert_failed_named(&dir, "out/report");
}

#[test]
fn slurm() {
    let (page, dir) = (page(), folder("scale-slurm"));
    let jobs: Vec<(String, String)> = commands(&page)
        .iter()
        .filter_map(|line| {
            let (array, wrapped) = line.strip_prefix("sbatch --array=")?.split_once(" --wrap '")?;
            Some((array.to_owned(), wrapped.strip_suffix('\'')?.to_owned()))
        })
        .collect();
    let [(all, first), (some, repeated)] = &jobs[..] else { panic!("{jobs:?}") };
    let run = |command: &str, id: &str, (least, count): (&str, &str)| {
        let command = command.strip_prefix("transfeed ").expect("the program");
        let mut command = shell(&dir, &format!("\"$0\" {command} -q"));
        command.env("SLURM_ARRAY_TASK_ID", id).env("SLURM_ARRAY_TASK_MIN", least).env("SLURM_ARRAY_TASK_COUNT", count);
        let run = command.output().expect("a run");
        assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    };
    let (_, last) = all.strip_prefix("0-").map(|last| ("0", last)).expect("tasks from 0");
    let last: usize = last.parse().expect("a number");
    for task in busy(last + 1) {
        run(first, &task.to_string(), ("0", &(last + 1).to_string()));
    }
    assert_eq!(outputs(&dir, "sitemaps"), expected());
    assert_failed_named(&dir, "report");
    // a task that is repeated is the same share
    let ids: Vec<&str> = some.split(',').collect();
    for id in &ids {
        run(repeated, id, (ids[0], &ids.len().to_string()));
        let summary = format!("report/summary-{}-of-{}.json", id.parse::<usize>().expect("a number") + 1, last + 1);
        assert!(dir.join(&summary).is_file(), "{id} is not {summary}");
    }
}
