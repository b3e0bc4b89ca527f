//! The arguments of a ludeme of the rules, made into nodes as its reader takes them.

use super::condition::{Bool, Test};
use super::directions::{Direction, Dirs};
use super::functions::{Int, Ints, Region, Result, Who};
use super::lower::Lower;
use super::moves::Generator;
use super::sites::Sites;
use crate::board::SiteType;
use crate::compile::slots::{Slots, is_kind, takes_slots};
use crate::compile::table::Choice;
use crate::compile::{Ludeme, Value};
use crate::ludemes::{Form, Read, Reader};

/// The arguments of a ludeme of the rules, made into nodes as they are taken.
pub(crate) struct Args<'a, 'l, 'e> {
    /// Lowers the rules.
    pub(crate) lower: &'a mut Lower<'e>,
    slots: Slots<'l>,
    /// The kind of elements that the form is about: the one that it names, or that of the board.
    kind: SiteType,
    /// Is that kind named?
    named: bool,
    /// Has the form a slot for a kind of elements? Then its sites are of that kind.
    typed: bool,
}

takes_slots!('l, Args<'_, 'l, '_>);

impl Lower<'_> {
    /// Reads a ludeme by the reader of its form: all of its arguments, or it is an error.
    pub(crate) fn read<T>(
        &mut self,
        ludeme: &Ludeme,
        form: &'static Form,
        reader: Reader<T>,
    ) -> Result<T> {
        let mut args = Args::new(self, ludeme);
        args.check_sites(form)?;
        args.take_words();
        let value = reader(&mut args)?;
        args.finish()?;
        Ok(value)
    }
}

impl<'a, 'l, 'e> Args<'a, 'l, 'e> {
    /// All arguments of a ludeme.
    pub(crate) fn new(lower: &'a mut Lower<'e>, ludeme: &'l Ludeme) -> Args<'a, 'l, 'e> {
        let own = lower.equipment.board.sites;
        let (mut kind, mut named, mut typed) = (own, false, false);
        if !lower.equipment.planes.is_empty() {
            for (slot, given) in ludeme.slots() {
                let is = |choice: &Choice| is_kind(&choice.kind, "siteType");
                typed |= slot.choices.iter().any(is);
                if let Some((choice, Value::Word(word))) = given
                    && slot.choices.get(*choice).is_some_and(is)
                {
                    (kind, named) = (SiteType::named(word).unwrap_or(own), true);
                }
            }
        }
        Args { lower, slots: Slots::new(ludeme), kind, named, typed }
    }

    /// The kind of elements that the form is about.
    pub(crate) fn kind(&self) -> SiteType {
        self.kind
    }

    /// The kind of elements that the form names, if it names one and the board has pieces on several.
    pub(crate) fn named_kind(&self) -> Option<SiteType> {
        self.named.then_some(self.kind)
    }

    /// The sites of the kind of elements that the form names, if it names one and the board has pieces on several.
    pub(crate) fn sites_named(&self) -> Option<Sites> {
        self.named.then(|| self.lower.equipment.sites_on(self.kind))
    }

    /// All sites of the kind of elements that the form is about.
    pub(crate) fn place(&self) -> Sites {
        self.lower.equipment.sites_on(self.kind)
    }

    /// Is the number of this slot that of a site?
    fn is_site(&self, name: &str) -> bool {
        let also = |(form, _): (&Form, Read)| form.site_slots.contains(&name);
        matches!(name, "at" | "from" | "through") || self.ludeme.reader().is_some_and(also)
    }

    /// A number that was read for a slot: a site is one of the form's kind.
    fn placed(&self, name: &str, int: Int) -> Int {
        match self.typed && self.is_site(name) {
            true => self.lower.site_on(int, self.kind),
            false => int,
        }
    }

    /// A region that was read for a form: its sites are of the form's kind.
    pub(crate) fn on_kind(&self, region: Region) -> Region {
        let counted = self.ludeme.reader().is_some_and(|(form, _)| form.counts_sites);
        match self.typed && !counted {
            true => self.lower.region_on(region, self.kind),
            false => region,
        }
    }

    /// Refuses sites of another kind than pieces stand on, as far as the form asks for it.
    fn check_sites(&mut self, form: &Form) -> Result<()> {
        if form.sites == crate::ludemes::SitesOf::Own {
            return Ok(());
        }
        let hands = form.sites == crate::ludemes::SitesOf::Any;
        for (number, (slot, given)) in self.ludeme.slots().enumerate() {
            let Some((choice, Value::Word(word))) = given else { continue };
            let is_type = slot.choices.get(*choice).is_some_and(|c| is_kind(&c.kind, "siteType"));
            if is_type {
                self.lower.check_site_type(word, hands, self.ludeme)?;
                self.mark(number);
            }
        }
        Ok(())
    }

    /// Reads a part such as `(to …)`, if it is there.
    pub(crate) fn part<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Args<'_, 'l, 'e>) -> Result<T>,
    ) -> Result<Option<T>> {
        match self.take(name) {
            Some(Value::Call(part)) => self.inner(part, read).map(Some),
            Some(_) => Err(self.unsupported()),
            None => Ok(None),
        }
    }

    /// Reads a ludeme inside this one.
    pub(crate) fn inner<T>(
        &mut self,
        part: &'l Ludeme,
        read: impl FnOnce(&mut Args<'_, 'l, 'e>) -> Result<T>,
    ) -> Result<T> {
        let mut args = Args::new(self.lower, part);
        let value = read(&mut args)?;
        args.finish()?;
        Ok(value)
    }

    /// The kind of elements that the form names, where the board has pieces on one other kind only.
    pub(crate) fn other_kind(&self) -> Option<SiteType> {
        let kind = self.peek("siteType").and_then(Value::word).and_then(SiteType::named);
        let equipment = self.lower.equipment;
        kind.filter(|&kind| equipment.planes.is_empty() && kind != equipment.board.sites)
    }

    /// Takes the kind of site, which must be one that pieces stand on.
    pub(crate) fn own_sites(&mut self) -> Result<()> {
        if let Some(Value::Word(word)) = self.take("siteType")
            && !SiteType::named(word).is_some_and(|kind| self.lower.equipment.has_kind(kind))
        {
            self.lower.check_site_type(word, true, self.ludeme)?;
        }
        Ok(())
    }

    /// A number.
    pub(crate) fn int(&mut self, name: &str) -> Result<Int> {
        let value = self.value(name)?;
        let int = self.lower.int(value, self.ludeme)?;
        Ok(self.placed(name, int))
    }

    /// A number, if it is there.
    pub(crate) fn try_int(&mut self, name: &str) -> Result<Option<Int>> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let int = self.lower.int(value, self.ludeme)?;
        Ok(Some(self.placed(name, int)))
    }

    /// A number, or another where it is left out.
    pub(crate) fn int_or(&mut self, name: &str, default: i32) -> Result<Int> {
        Ok(self.try_int(name)?.unwrap_or(Int::Const(default)))
    }

    /// A site, or the end of the last move where it is left out.
    pub(crate) fn site_or_last(&mut self, name: &str) -> Result<Int> {
        Ok(match self.try_int(name)? {
            Some(site) => site,
            None => self.placed("at", Int::LastTo(self.lower.last())),
        })
    }

    /// A number that is known beforehand.
    pub(crate) fn known_int(&mut self, name: &str) -> Result<i32> {
        self.int(name)?.fixed().ok_or_else(|| self.unsupported())
    }

    /// Numbers of a list, or nothing.
    pub(crate) fn int_items(&mut self, name: &str) -> Result<Vec<Int>> {
        let values = self.take(name).map_or(&[][..], Value::items);
        values.iter().map(|value| self.lower.int(value, self.ludeme)).collect()
    }

    /// A region.
    pub(crate) fn region(&mut self, name: &str) -> Result<Region> {
        let value = self.value(name)?;
        let region = self.lower.region(value, self.ludeme)?;
        Ok(self.on_kind(region))
    }

    /// A region that one of several slots names, if it is there.
    pub(crate) fn try_region(&mut self, names: &[&str]) -> Result<Option<Region>> {
        let Some(value) = self.take_any(names) else { return Ok(None) };
        let region = self.lower.region(value, self.ludeme)?;
        Ok(Some(self.on_kind(region)))
    }

    /// The region that one of several slots names. It is an error where none does.
    pub(crate) fn one_region(&mut self, names: &[&str]) -> Result<Region> {
        self.try_region(names)?.ok_or_else(|| self.unsupported())
    }

    /// The region that one of several slots names; where none does, the site at which the last move ended.
    pub(crate) fn region_or_last(&mut self, names: &[&str]) -> Result<Region> {
        Ok(match self.try_region(names)? {
            Some(region) => region,
            None => self.on_kind(Region::One(Int::LastTo(self.lower.last()))),
        })
    }

    /// A list of numbers.
    pub(crate) fn ints(&mut self, name: &str) -> Result<Ints> {
        let value = self.value(name)?;
        self.lower.int_list(value, self.ludeme)
    }

    /// A list of numbers, if it is there.
    pub(crate) fn try_ints(&mut self, name: &str) -> Result<Option<Ints>> {
        let Some(value) = self.take(name) else { return Ok(None) };
        self.lower.int_list(value, self.ludeme).map(Some)
    }

    /// A condition.
    pub(crate) fn bool(&mut self, name: &str) -> Result<Bool> {
        let value = self.value(name)?;
        self.lower.bool(value, self.ludeme)
    }

    /// A condition, if it is there.
    pub(crate) fn try_bool(&mut self, name: &str) -> Result<Option<Bool>> {
        self.take(name).map(|value| self.lower.bool(value, self.ludeme)).transpose()
    }

    /// A condition on a site, if it is there.
    pub(crate) fn try_test(&mut self, name: &str) -> Result<Option<Test>> {
        let condition = self.try_bool(name)?;
        let (players, teams) = (self.lower.equipment.players, self.lower.teams);
        Ok(condition.map(|condition| Test::new(condition).settled(players, teams)))
    }

    /// Moves.
    pub(crate) fn moves(&mut self, name: &str) -> Result<Generator> {
        let value = self.value(name)?;
        self.lower.moves(value, self.ludeme)
    }

    /// Moves, if they are there.
    pub(crate) fn try_moves(&mut self, name: &str) -> Result<Option<Generator>> {
        self.take(name).map(|value| self.lower.moves(value, self.ludeme)).transpose()
    }

    /// The players of a role, a `(player …)` or a number, if one of these slots has it.
    pub(crate) fn try_who(&mut self, names: &[&str]) -> Result<Option<Who>> {
        self.take_any(names).map(|value| self.lower.roles(value, self.ludeme)).transpose()
    }

    /// The players that one of several slots names. It is an error where none does.
    pub(crate) fn who(&mut self, names: &[&str]) -> Result<Who> {
        self.try_who(names)?.ok_or_else(|| self.unsupported())
    }

    /// One player, if one of these slots names it.
    pub(crate) fn try_player(&mut self, names: &[&str]) -> Result<Option<Int>> {
        self.take_any(names).map(|value| self.lower.player_value(value, self.ludeme)).transpose()
    }

    /// The player that one of several slots names. It is an error where none does.
    pub(crate) fn player(&mut self, names: &[&str]) -> Result<Int> {
        self.try_player(names)?.ok_or_else(|| self.unsupported())
    }

    /// Directions, each as often as it is named, or others where they are left out.
    pub(crate) fn counted_directions(&mut self, default: Direction) -> Result<Dirs> {
        match self.take_any(&["direction", "absoluteDirection", "relationType"]) {
            Some(value) => self.lower.counted_directions(value, self.ludeme),
            None => Ok(self.lower.rays(&[default])),
        }
    }

    /// Directions, each once, or others where they are left out.
    pub(crate) fn directions(&mut self, default: Direction) -> Result<Dirs> {
        Ok(self.counted_directions(default)?.distinct())
    }

    /// One kind of piece.
    pub(crate) fn piece(&mut self) -> Result<Int> {
        match self.pieces()? {
            (mut kinds, None) if kinds.len() == 1 => Ok(kinds.remove(0)),
            _ => Err(self.unsupported()),
        }
    }
}
