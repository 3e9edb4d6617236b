//! Indices that cannot be mixed up.

/// Declares a newtype over `u32` that counts one kind of thing.
macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The id at a position.
            ///
            /// # Panics
            ///
            /// When `index` does not fit 32 bits.
            pub fn new(index: usize) -> $name {
                $name(u32::try_from(index).expect(concat!("too many things for a ", stringify!($name))))
            }

            /// The position.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    };
}

index! {
    /// A symbol of a [`Grammar`](crate::Grammar).
    SymbolId
}
index! {
    /// A production of a [`Grammar`](crate::Grammar).
    ProductionId
}
index! {
    /// A constructor of a [`Grammar`](crate::Grammar).
    ConstructorId
}
index! {
    /// A node of a [`Tree`](crate::Tree) or of a [`Fragment`](crate::Fragment), in preorder.
    NodeId
}
index! {
    /// A hole of a [`Fragment`](crate::Fragment), numbered by first occurrence.
    HoleId
}
index! {
    /// An idiom of an [`IdiomLibrary`](crate::IdiomLibrary).
    IdiomId
}
