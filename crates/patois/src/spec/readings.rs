//! What a pretrained encoder that is not trained makes of texts, on disk: it reads each of them once.

use std::fs;
use std::path::PathBuf;

use indexmap::IndexMap;
use patois_synthesis::Model;
use patois_synthesis::pretrained::PieceSequences;
use patois_synthesis::training_example::{EncodedSpec, Readings};
use rayon::prelude::*;

use super::linking::ValueCache;
use super::linking::{START, mix};

/// What one encoder makes of texts, each in a file of its own in the folder for caches.
///
/// A file counts only for the same pieces in the same order, and only if it is whole; it is made again otherwise.
/// Nothing is deleted: the folder `readings` can be, at any time.
#[derive(Clone, Debug)]
pub(crate) struct ReadingCache {
    folder: Option<PathBuf>,
}

impl ReadingCache {
    /// Readings of one encoder, beside the values of databases.
    pub(crate) fn beside(values: &ValueCache, encoder: u64) -> ReadingCache {
        let folder = values.folder();
        ReadingCache {
            folder: folder.map(|it| it.join("readings").join(format!("{encoder:016x}"))),
        }
    }

    /// Lets specifications keep what the encoder of a model makes of them; `seen` is told of each.
    pub(crate) fn fill(&self, model: &Model, specs: Vec<&mut EncodedSpec>, seen: impl Fn() + Sync) {
        let mut same: IndexMap<[u64; 2], Vec<&mut EncodedSpec>> = IndexMap::new();
        for spec in specs {
            if let Some(pieces) = &spec.pieces {
                same.entry(key(pieces)).or_default().push(spec);
            }
        }
        let same: Vec<([u64; 2], Vec<&mut EncodedSpec>)> = same.into_iter().collect();
        same.into_par_iter().for_each(|(key, specs)| {
            let readings = self.readings(model, specs[0], key);
            for spec in specs {
                spec.readings.clone_from(&readings);
                seen();
            }
        });
    }

    fn readings(&self, model: &Model, spec: &EncodedSpec, key: [u64; 2]) -> Option<Readings> {
        let [first, second] = key;
        let name = format!("{first:016x}{second:016x}.bin");
        let path = self.folder.as_ref().map(|it| it.join(name));
        let kept = path.as_ref().and_then(|path| {
            let bytes = fs::read(path).ok()?;
            let (body, sum) = bytes.split_last_chunk()?;
            let is_whole = mix(START, body) == u64::from_le_bytes(*sum);
            let readings = Readings::from_bytes(body, spec.n_elements());
            readings.filter(|_| is_whole)
        });
        if kept.is_some() {
            return kept;
        }
        let made = model.read(spec)?;
        if let Some(path) = path {
            keep(&path, &made);
        }
        Some(made)
    }
}

/// Writes readings where they can be written; where not, they are made again next time. There are thousands of
/// files, so the system is not asked to have them on the disk at once: their sums tell.
fn keep(path: &std::path::Path, readings: &Readings) {
    let mut bytes = readings.to_bytes();
    let sum = mix(START, &bytes);
    bytes.extend(sum.to_le_bytes());
    let folder = path.parent().unwrap_or(std::path::Path::new(""));
    if fs::create_dir_all(folder).is_ok() {
        let unfinished = path.with_extension(format!("{}.tmp", std::process::id()));
        let _ = fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, path));
    }
}

/// Two hashes of all pieces, and of where each element is.
fn key(pieces: &PieceSequences) -> [u64; 2] {
    let mut bytes = Vec::new();
    for sequence in pieces.sequences() {
        bytes.extend((sequence.len() as u32).to_le_bytes());
        for piece in sequence {
            bytes.extend(piece.piece.to_le_bytes());
            bytes.push(piece.segment);
        }
    }
    for places in pieces.places() {
        bytes.extend((places.len() as u32).to_le_bytes());
        bytes.extend(places.iter().flat_map(|it| it.to_le_bytes()));
    }
    let first = mix(START, &bytes);
    bytes.reverse();
    [first, mix(first, &bytes)]
}
