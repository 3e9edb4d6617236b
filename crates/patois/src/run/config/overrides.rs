//! Some keys of a configuration, in the place of those that it has.

use toml::{Table, Value};

use super::{RunConfig, RunConfigError};

impl RunConfig {
    /// The configuration with some of its keys set to something else.
    ///
    /// ```
    /// use patois::run::config::{RunConfig, nested};
    ///
    /// let config = RunConfig::default().with(nested("training.n_steps", 10.into()))?;
    /// assert_eq!(config.training.n_steps, 10);
    /// # Ok::<(), patois::run::config::RunConfigError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no such key, or its value makes no sense.
    ///
    /// # Panics
    ///
    /// Never: a configuration is always TOML.
    pub fn with(&self, set: Table) -> Result<RunConfig, RunConfigError> {
        let text = self.to_toml();
        let mut table: Table =
            toml::from_str(&text).expect("a configuration that was just written");
        merge(&mut table, set);
        let text = toml::to_string(&table).expect("tables are always TOML");
        RunConfig::parse("set", &text)
    }
}

/// `a.b = value` as tables.
pub fn nested(key: &str, value: Value) -> Table {
    let (first, rest) = key
        .split_once('.')
        .map_or((key, None), |(a, b)| (a, Some(b)));
    let value = match rest {
        Some(rest) => Value::Table(nested(rest, value)),
        None => value,
    };
    Table::from_iter([(first.to_owned(), value)])
}

/// Puts the values of a table in the place of those of another; a table that is called something
/// else, such as another optimiser, has none of the old ones.
pub fn merge(into: &mut Table, from: Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(Value::Table(into)), Value::Table(from))
                if from
                    .get("name")
                    .is_none_or(|it| into.get("name") == Some(it)) =>
            {
                merge(into, from);
            }
            (_, value) => _ = into.insert(key, value),
        }
    }
}
