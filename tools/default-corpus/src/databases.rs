//! The databases that the questions are about.

use super::domain::Domain;

/// A database as its files describe it.
pub(super) struct Source {
    pub(super) name: &'static str,
    /// What creates and fills it.
    pub(super) script: &'static str,
    /// How people talk about it.
    pub(super) words: &'static str,
    /// Whether training and development never see it.
    pub(super) is_held_out: bool,
}

macro_rules! source {
    ($name:literal, held_out: $is_held_out:literal) => {
        Source {
            name: $name,
            script: include_str!(concat!("../schemas/", $name, ".sql")),
            words: include_str!(concat!("../schemas/", $name, ".toml")),
            is_held_out: $is_held_out,
        }
    };
}

pub(super) const DATABASES: &[Source] = &[
    source!("library", held_out: false),
    source!("school", held_out: false),
    source!("cinema", held_out: false),
    source!("restaurant", held_out: false),
    source!("football", held_out: false),
    source!("flights", held_out: false),
    source!("bike_hire", held_out: false),
    source!("company", held_out: false),
    source!("museum", held_out: false),
    source!("hotel", held_out: false),
    source!("recipes", held_out: false),
    source!("gym", held_out: false),
    source!("zoo", held_out: false),
    source!("hospital", held_out: false),
    source!("shop", held_out: false),
    source!("payroll", held_out: false),
    source!("property", held_out: false),
    source!("garage", held_out: false),
    source!("university", held_out: false),
    source!("video_games", held_out: false),
    source!("bank", held_out: false),
    source!("geography", held_out: false),
    source!("theatre", held_out: false),
    source!("podcasts", held_out: false),
    source!("parcels", held_out: false),
    source!("vet_clinic", held_out: true),
    source!("concerts", held_out: true),
];

impl Source {
    pub(super) fn load(&self) -> Domain {
        Domain::load(self.name, self.script, self.words)
    }
}
