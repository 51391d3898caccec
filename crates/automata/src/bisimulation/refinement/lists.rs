//! Disjoint lists whose elements move in constant time.

use resy_index::Id;
use std::marker::PhantomData;

const NONE: u32 = u32::MAX;

/// Lists `L` of elements `E`; each element is in at most one list.
pub struct Lists<L, E> {
    lists: Vec<List>,
    links: Vec<Link>,
    ids: PhantomData<fn(L, E)>,
}

#[derive(Copy, Clone)]
struct List {
    first: u32,
    len: u32,
}

#[derive(Copy, Clone)]
struct Link {
    list: u32,
    previous: u32,
    next: u32,
}

impl<L: Id, E: Id> Lists<L, E> {
    /// No lists yet, and `n_elements` elements outside all lists.
    pub fn new(n_elements: usize) -> Self {
        let link = Link { list: NONE, previous: NONE, next: NONE };
        Self { lists: Vec::new(), links: vec![link; n_elements], ids: PhantomData }
    }

    /// Adds a list.
    pub fn add_list(&mut self) -> L {
        self.lists.push(List { first: NONE, len: 0 });
        L::from_index(self.lists.len() - 1)
    }

    /// Adds an element, in no list.
    pub fn add_element(&mut self) -> E {
        self.links.push(Link { list: NONE, previous: NONE, next: NONE });
        E::from_index(self.links.len() - 1)
    }

    /// The number of elements in a list.
    pub fn len(&self, list: L) -> usize {
        self.lists[list.index()].len as usize
    }

    /// The list that has the element.
    pub fn list_of(&self, element: E) -> Option<L> {
        some(self.links[element.index()].list)
    }

    /// The first element of a list.
    pub fn first(&self, list: L) -> Option<E> {
        some(self.lists[list.index()].first)
    }

    /// The next element of the list.
    pub fn next(&self, element: E) -> Option<E> {
        some(self.links[element.index()].next)
    }

    /// All elements of a list.
    pub fn iter(&self, list: L) -> impl Iterator<Item = E> + '_ {
        std::iter::successors(self.first(list), |&element| self.next(element))
    }

    /// Moves an element to the front of a list.
    pub fn put(&mut self, list: L, element: E) {
        self.remove(element);
        let head = &mut self.lists[list.index()];
        let number = element.index() as u32;
        let next = std::mem::replace(&mut head.first, number);
        head.len += 1;
        self.links[element.index()] = Link { list: list.index() as u32, previous: NONE, next };
        if next != NONE {
            self.links[next as usize].previous = number;
        }
    }

    /// Removes an element from its list, if it is in one.
    pub fn remove(&mut self, element: E) {
        let Link { list, previous, next } = self.links[element.index()];
        if list == NONE {
            return;
        }
        self.lists[list as usize].len -= 1;
        match previous {
            NONE => self.lists[list as usize].first = next,
            previous => self.links[previous as usize].next = next,
        }
        if next != NONE {
            self.links[next as usize].previous = previous;
        }
        self.links[element.index()].list = NONE;
    }
}

fn some<I: Id>(number: u32) -> Option<I> {
    (number != NONE).then(|| I::from_index(number as usize))
}
