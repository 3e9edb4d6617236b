//! Indices that cannot be mixed up, and vectors that take one kind of them.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut};

/// A number of 32 bits that counts one kind of thing; [`index!`](crate::index!) declares such types.
pub trait Id: Copy + Ord {
    /// The id with a number.
    fn from_u32(number: u32) -> Self;

    /// The number.
    fn to_u32(self) -> u32;

    /// The id at a position.
    ///
    /// # Panics
    ///
    /// When `index` does not fit 32 bits.
    #[inline]
    fn new(index: usize) -> Self {
        Self::from_u32(u32::try_from(index).expect("at most four billion things of a kind"))
    }

    /// The position.
    #[inline]
    fn index(self) -> usize {
        self.to_u32() as usize
    }

    /// The id `n` positions later.
    #[inline]
    #[must_use]
    fn plus(self, n: usize) -> Self {
        Self::from_u32(self.to_u32() + n as u32)
    }

    /// The id `n` positions earlier.
    #[inline]
    #[must_use]
    fn minus(self, n: usize) -> Self {
        Self::from_u32(self.to_u32() - n as u32)
    }

    /// The first `n` ids.
    #[inline]
    fn first(n: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..Self::new(n).to_u32()).map(Self::from_u32)
    }
}

/// Declares a newtype over `u32` that counts one kind of thing.
///
/// ```
/// use patois_syntax::{IdVec, index};
///
/// index! {
///     /// A word of a text.
///     pub WordId
/// }
/// let mut words: IdVec<WordId, &str> = IdVec::new();
/// let first = words.push("for");
/// assert_eq!(words[first], "for");
/// ```
///
/// An id of another kind is refused where it stands:
///
/// ```compile_fail
/// # use patois_syntax::{IdVec, index};
/// # index! { WordId }
/// # index! { LineId }
/// # let words: IdVec<WordId, &str> = IdVec::from_iter(["for"]);
/// words[LineId::new(0)];
/// ```
#[macro_export]
macro_rules! index {
    ($(#[$doc:meta])* $vis:vis $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        #[repr(transparent)]
        $vis struct $name(u32);

        impl $name {
            /// The id at a position.
            ///
            /// # Panics
            ///
            /// When `index` does not fit 32 bits.
            #[inline]
            pub fn new(index: usize) -> $name {
                <$name as $crate::Id>::new(index)
            }

            /// The position.
            #[inline]
            pub fn index(self) -> usize {
                $crate::Id::index(self)
            }
        }

        impl $crate::Id for $name {
            #[inline]
            fn from_u32(number: u32) -> $name {
                $name(number)
            }

            #[inline]
            fn to_u32(self) -> u32 {
                self.0
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
    pub SymbolId
}
index! {
    /// A production of a [`Grammar`](crate::Grammar).
    pub ProductionId
}
index! {
    /// A constructor of a [`Grammar`](crate::Grammar).
    pub ConstructorId
}
index! {
    /// A node of a [`Tree`](crate::Tree) or of a [`Fragment`](crate::Fragment), in preorder.
    pub NodeId
}
index! {
    /// A hole of a [`Fragment`](crate::Fragment), numbered by first occurrence.
    pub HoleId
}
index! {
    /// An idiom of an [`IdiomLibrary`](crate::IdiomLibrary).
    pub IdiomId
}

/// A vector that takes one kind of id as its index, and is a slice otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    ids: PhantomData<fn(I)>,
}

impl<I: Id, T> IdVec<I, T> {
    /// An empty vector.
    pub fn new() -> IdVec<I, T> {
        IdVec::from(Vec::new())
    }

    /// A vector of `n` equal items.
    pub fn filled(item: T, n: usize) -> IdVec<I, T>
    where
        T: Clone,
    {
        IdVec::from(vec![item; n])
    }

    /// Adds an item at the end; its id.
    #[inline]
    pub fn push(&mut self, item: T) -> I {
        let id = I::new(self.items.len());
        self.items.push(item);
        id
    }

    /// The item with an id, if there is one.
    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// The ids of all items.
    #[inline]
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        I::first(self.items.len())
    }

    /// All items with their ids.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.ids().zip(&self.items)
    }

    /// The items without the type of their ids.
    pub fn items_mut(&mut self) -> &mut Vec<T> {
        &mut self.items
    }
}

impl<I: Id, T> Default for IdVec<I, T> {
    fn default() -> IdVec<I, T> {
        IdVec::new()
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(items: Vec<T>) -> IdVec<I, T> {
        IdVec {
            items,
            ids: PhantomData,
        }
    }
}

impl<I, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<S: IntoIterator<Item = T>>(items: S) -> IdVec<I, T> {
        IdVec::from(Vec::from_iter(items))
    }
}

impl<I, T> Extend<T> for IdVec<I, T> {
    fn extend<S: IntoIterator<Item = T>>(&mut self, items: S) {
        self.items.extend(items);
    }
}

impl<I, T> IntoIterator for IdVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'v, I, T> IntoIterator for &'v IdVec<I, T> {
    type Item = &'v T;
    type IntoIter = std::slice::Iter<'v, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I, T> Deref for IdVec<I, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<I, T> DerefMut for IdVec<I, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}
