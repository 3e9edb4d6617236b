//! From the files of a run to its report.

use patois_codebase::checksum;
use patois_codebase::idiom_file::IdiomFile;
use patois_synthesis::Objective;
use serde::Deserialize;

use super::curve::Curve;
use super::{CorpusSummary, IdiomSummary, Report, System, VERSION};
use crate::run::StageError;
use crate::run::config::RunConfig;
use crate::run::folder::{BASELINE, RunDir, RunFile};

impl Report {
    /// What the files of a run say, with the results and times of an earlier report.
    ///
    /// Results of a model that has been trained further since are left out.
    ///
    /// # Errors
    ///
    /// When there is no run with a model, or one of its files cannot be read or is another run's.
    pub fn of_run(run: &RunDir) -> Result<Report, StageError> {
        let config = run.config()?;
        let earlier = Report::earlier(run)?;
        let mut report = Report {
            version: VERSION,
            patois: env!("CARGO_PKG_VERSION").to_owned(),
            run: Some(run.fingerprint()?),
            corpus: CorpusSummary {
                name: config.corpus.clone(),
                ..CorpusSummary::default()
            },
            seed: config.seed,
            config: to_json(&config),
            sets: Vec::new(),
            systems: Vec::new(),
            idioms: idioms(run)?,
            timings: Vec::new(),
        };
        if let Some(earlier) = &earlier {
            report.corpus = earlier.corpus.clone();
            report.timings.clone_from(&earlier.timings);
        }
        match run.baseline()? {
            Some(baseline) => report.add_system(&baseline)?,
            // Its folder can be deleted; what it came to stays.
            None if config.of_baseline().is_some() => report.keep_baseline(earlier.as_ref()),
            None => {}
        }
        report.add_system(run)?;
        if let Some(earlier) = earlier {
            report.take_results(earlier);
        }
        Ok(report)
    }

    /// The report that is there; none where there is none.
    ///
    /// # Errors
    ///
    /// When it cannot be read: evaluations are kept nowhere else, and must not be overwritten by less.
    pub(crate) fn earlier(run: &RunDir) -> Result<Option<Report>, StageError> {
        match run.read(RunFile::ReportJson)? {
            None => Ok(None),
            Some(bytes) => parse(&bytes)
                .map(Some)
                .map_err(|message| StageError::Report {
                    path: run.file(RunFile::ReportJson),
                    message,
                }),
        }
    }

    fn add_system(&mut self, run: &RunDir) -> Result<(), StageError> {
        run.check()?;
        let config = run.config()?;
        let card = run.card()?;
        let log = run.read(RunFile::Log)?.unwrap_or_default();
        let (curve, seconds) = Curve::of_log(&String::from_utf8_lossy(&log));
        let name = System::name_of(card.n_idioms);
        self.time(format!("train {name}"), seconds);
        self.systems.push(System {
            name: name.to_owned(),
            objective: objective(config.training.objective).to_owned(),
            idioms: card.n_idioms,
            step: card.step,
            dev_loss: card.dev_loss,
            curve,
            results: Vec::new(),
        });
        Ok(())
    }

    fn keep_baseline(&mut self, earlier: Option<&Report>) {
        let systems = earlier.iter().flat_map(|it| &it.systems);
        let baseline = systems.filter(|it| it.name == BASELINE).cloned();
        self.systems.extend(baseline.map(|it| System {
            results: Vec::new(),
            ..it
        }));
    }

    fn take_results(&mut self, earlier: Report) {
        for system in earlier.systems {
            let now = self.systems.iter().find(|it| it.name == system.name);
            let Some(step) = now.map(|it| it.step) else {
                continue;
            };
            for results in system.results {
                if results.step == step {
                    self.add(&system.name, results);
                }
            }
        }
    }
}

/// The version comes first: the shape of other versions is not known.
fn parse(bytes: &[u8]) -> Result<Report, String> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let text = str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let said = |error: serde_json::Error| error.to_string();
    let Versioned { version } = serde_json::from_str(text).map_err(said)?;
    if version != VERSION {
        return Err(format!("expected version {VERSION}, found {version}"));
    }
    let report = serde_json::from_str(text).map_err(said)?;
    checksum::check(text).map_err(|error| error.to_string())?;
    Ok(report)
}

fn idioms(run: &RunDir) -> Result<Vec<IdiomSummary>, StageError> {
    let path = run.file(RunFile::Idioms);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let file = IdiomFile::open(&path)?;
    let records = file.idioms.iter().enumerate();
    Ok(records
        .map(|(index, record)| IdiomSummary::new(index, record))
        .collect())
}

fn objective(objective: Objective) -> &'static str {
    match objective {
        Objective::Plain => "plain",
        Objective::Mean => "mean",
        Objective::Marginal => "marginal",
    }
}

/// The file as data: what has no value is left out, and numbers are as short as there.
fn to_json(config: &RunConfig) -> serde_json::Value {
    toml::from_str(&config.to_toml()).unwrap_or_default()
}
