//! The words of `prose.txt`, by their heading.

use std::{collections::HashSet, sync::LazyLock};

use crate::text::word_lists;

/// Some words.
pub(super) type Words = HashSet<&'static str>;

/// All of them, read once.
pub(super) static LISTS: LazyLock<Lists> = LazyLock::new(Lists::read);

/// The words of each heading.
#[derive(Debug)]
pub(super) struct Lists {
    pub(super) code: Words,
    pub(super) data: Words,
    pub(super) prose: Words,
    pub(super) markup: Words,
    pub(super) data_names: Words,
    pub(super) markup_names: Words,
    pub(super) prose_names: Words,
    pub(super) note_names: Words,
    pub(super) names_of_noted: Words,
    pub(super) prose_folders: Words,
    pub(super) note_folders: Words,
    pub(super) markup_folders: Words,
}

impl Lists {
    fn read() -> Self {
        let words = |heading| word_lists::below(include_str!("../prose.txt"), heading).collect();
        Self {
            code: words("endings of code"),
            data: words("endings of data"),
            prose: words("endings of prose"),
            markup: words("endings of markup"),
            data_names: words("names of data"),
            markup_names: words("names of markup"),
            prose_names: words("names of prose"),
            note_names: words("names of notes"),
            names_of_noted: words("names of notes that are prose"),
            prose_folders: words("folders of prose"),
            note_folders: words("folders of notes"),
            markup_folders: words("folders of markup"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_list_is_empty_and_no_word_is_in_two_of_a_kind() {
        let lists = &*LISTS;
        let endings = [&lists.code, &lists.data, &lists.prose, &lists.markup];
        let names = [
            &lists.data_names,
            &lists.markup_names,
            &lists.prose_names,
            &lists.note_names,
            &lists.names_of_noted,
        ];
        let folders = [&lists.prose_folders, &lists.note_folders, &lists.markup_folders];
        for kind in [&endings[..], &names, &folders] {
            assert!(kind.iter().all(|words| !words.is_empty()));
            let count: usize = kind.iter().map(|words| words.len()).sum();
            let all: HashSet<_> = kind.iter().copied().flatten().collect();
            assert_eq!(all.len(), count);
            assert!(all.iter().all(|word| ***word == word.to_lowercase()));
        }
    }
}
