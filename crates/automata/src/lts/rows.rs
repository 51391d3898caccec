//! Many short lists in two vectors.

/// Lists of items, one after the other: row `i` is `items[starts[i]..starts[i + 1]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Rows<T> {
    /// No rows.
    pub fn new() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }

    /// Appends a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.items.extend(row);
        self.starts.push(position(self.items.len()));
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of items in all rows.
    pub fn n_items(&self) -> usize {
        self.items.len()
    }

    /// A row.
    pub fn row(&self, i: usize) -> &[T] {
        &self.items[self.range(i)]
    }

    fn range(&self, i: usize) -> std::ops::Range<usize> {
        self.starts[i] as usize..self.starts[i + 1] as usize
    }
}

impl<T: Copy> Rows<T> {
    /// Puts every item into its row, in the order given (a counting sort). `entries` is
    /// called twice and gives the same both times.
    pub fn collect<I: Iterator<Item = (usize, T)>>(n_rows: usize, entries: impl Fn() -> I) -> Self {
        let mut starts = vec![0u32; n_rows + 1];
        for (row, _) in entries() {
            starts[row + 1] += 1;
        }
        let mut n: usize = 0;
        for start in &mut starts {
            n += *start as usize;
            *start = position(n);
        }
        let Some((_, fill)) = entries().next() else { return Self { starts, items: Vec::new() } };
        let mut items = vec![fill; n];
        let mut free = starts.clone();
        for (row, item) in entries() {
            items[free[row] as usize] = item;
            free[row] += 1;
        }
        Self { starts, items }
    }
}

impl<T: Copy + Ord> Rows<T> {
    /// Sorts each row and leaves out what is there twice.
    pub fn sort(&mut self) {
        let mut end = 0;
        for i in 0..self.len() {
            let range = self.range(i);
            // The rows before have been moved left to `end`; this one begins there.
            self.starts[i] = position(end);
            self.items[range.clone()].sort_unstable();
            let mut last = None;
            for at in range {
                let item = self.items[at];
                if last != Some(item) {
                    self.items[end] = item;
                    end += 1;
                }
                last = Some(item);
            }
        }
        self.items.truncate(end);
        if let Some(last) = self.starts.last_mut() {
            *last = position(end);
        }
    }
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self::new()
    }
}

fn position(n: usize) -> u32 {
    u32::try_from(n).expect("more than u32::MAX items in rows")
}
