//! What trees, fragments and derivations promise, through their public interface.

mod properties;
