//! How training examples are changed.

use patois_synthesis::ConfigError;
use serde::{Deserialize, Serialize};

/// How likely an example about a database is changed in which way, drawn anew in each pass; by default it is not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AugmentConfig {
    /// The most columns that a training example has, as long as its query needs no more.
    pub max_columns: Option<usize>,
    /// How likely columns and tables that the query does not need are left out.
    pub drop_columns: f32,
    /// How likely columns of other databases are added.
    pub add_columns: f32,
    /// How likely the names of a schema are abbreviated.
    pub abbreviate: f32,
    /// How likely words of its names are written as one.
    pub join: f32,
    /// How likely its names get a prefix.
    pub prefix: f32,
    /// How likely words of its names are replaced by synonyms.
    pub rename: f32,
    /// How likely words of a question that name something of the schema are replaced by synonyms.
    pub reword: f32,
    /// How likely a question is in lower case.
    pub lower_case: f32,
    /// How likely a question lacks its final mark.
    pub no_mark: f32,
    /// How likely something polite is said around a question.
    pub polite: f32,
    /// How likely values are swapped for others of the same column, in question and query alike.
    pub values: f32,
}

impl AugmentConfig {
    /// Whether examples stay what they are.
    pub fn is_off(&self) -> bool {
        *self == AugmentConfig::default()
    }

    /// Refuses what is no probability, and schemas without columns.
    ///
    /// # Errors
    ///
    /// When there is such a value.
    pub fn check(&self) -> Result<(), ConfigError> {
        let shares = [
            ("augment.drop_columns", self.drop_columns),
            ("augment.add_columns", self.add_columns),
            ("augment.abbreviate", self.abbreviate),
            ("augment.join", self.join),
            ("augment.prefix", self.prefix),
            ("augment.rename", self.rename),
            ("augment.reword", self.reword),
            ("augment.lower_case", self.lower_case),
            ("augment.no_mark", self.no_mark),
            ("augment.polite", self.polite),
            ("augment.values", self.values),
        ];
        for (key, found) in shares {
            if !(0.0..=1.0).contains(&found) {
                return Err(ConfigError {
                    key,
                    expected: "a probability, 0 to 1".to_owned(),
                    found: found.to_string(),
                });
            }
        }
        if self.max_columns == Some(0) {
            return Err(ConfigError {
                key: "augment.max_columns",
                expected: "at least 1".to_owned(),
                found: "0".to_owned(),
            });
        }
        Ok(())
    }
}
