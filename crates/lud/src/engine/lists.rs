//! Lists of numbers.

use super::context::{Context, Registers};
use super::functions::{Int, Result, ones};
use super::lower::{Lower, unsupported};
use crate::compile::{Ludeme, Value};

type Fill = Box<dyn Fn(&mut Context<'_>, &mut Vec<i32>) + Send + Sync>;

/// A list of numbers.
pub(crate) enum Ints {
    /// What is remembered under a name.
    Remembered(usize),
    /// Anything else: what puts it at the end of a list.
    Dyn(Fill),
}

impl Ints {
    /// From a closure that puts it at the end of a list.
    pub(crate) fn new(f: impl Fn(&mut Context<'_>, &mut Vec<i32>) + Send + Sync + 'static) -> Ints {
        Ints::Dyn(Box::new(f))
    }

    /// Puts it at the end of a list.
    pub(crate) fn fill(&self, c: &mut Context<'_>, out: &mut Vec<i32>) {
        match self {
            Ints::Remembered(name) => {
                out.extend_from_slice(c.state.remembered.get(*name).map_or(&[], Vec::as_slice));
            }
            Ints::Dyn(f) => f(c, out),
        }
    }

    /// Evaluates with it.
    pub(crate) fn of<T>(
        &self,
        c: &mut Context<'_>,
        f: impl FnOnce(&mut Context<'_>, &mut Vec<i32>) -> T,
    ) -> T {
        let mut list = c.list();
        self.fill(c, &mut list);
        let result = f(c, &mut list);
        c.free_list(list);
        result
    }

    /// Is a number in it?
    pub(crate) fn contains(&self, c: &mut Context<'_>, value: i32) -> bool {
        match self {
            Ints::Remembered(name) => {
                c.state.remembered.get(*name).is_some_and(|list| list.contains(&value))
            }
            Ints::Dyn(_) => self.of(c, |_, list| list.contains(&value)),
        }
    }
}

impl Lower<'_> {
    /// Is this value a list of numbers?
    pub(crate) fn is_ints(&self, value: &Value) -> bool {
        matches!(value, Value::Call(l) if l.signature().result == "ints")
    }

    /// A list of numbers.
    pub(crate) fn int_list(&mut self, value: &Value, of: &Ludeme) -> Result<Ints> {
        match value {
            Value::List(list) => {
                let list = list.iter().map(|v| self.int(v, of)).collect::<Result<Vec<Int>>>()?;
                Ok(Ints::new(move |c, out| out.extend(list.iter().map(|x| x.get(c)))))
            }
            Value::Call(l) if l.signature().result == "ints" => self.ints_of(l),
            Value::Call(l) if l.signature().result == "region" => {
                let region = self.region(value, l)?;
                Ok(Ints::new(move |c, out| region.of(c, |_, sites| out.extend(sites.iter()))))
            }
            _ => Err(unsupported(of)),
        }
    }

    /// The lists that one is made of.
    fn parts(&mut self, l: &Ludeme) -> Result<Vec<Ints>> {
        if let Some(Value::List(list)) = l.arg(0) {
            return list.iter().map(|v| self.int_list(v, l)).collect();
        }
        let values = l.args().iter().flatten().map(|(_, v)| v);
        values
            .map(|v| match v {
                v if self.is_ints(v) || self.is_region(v) => self.int_list(v, l),
                v => {
                    let x = self.int(v, l)?;
                    Ok(Ints::new(move |c, out| out.push(x.get(c))))
                }
            })
            .collect()
    }

    fn ints_of(&mut self, l: &Ludeme) -> Result<Ints> {
        let first = l.arg(0).and_then(Value::word).unwrap_or_default().to_owned();
        Ok(match l.signature().keyword.as_str() {
            "array" => {
                let value = l.arg(0).ok_or_else(|| unsupported(l))?;
                return self.int_list(value, l);
            }
            "values" => {
                let name = self.memory(&Self::text(l.typed("string")).unwrap_or_default());
                Ints::Remembered(name.into())
            }
            "union" => {
                let all = self.parts(l)?;
                Ints::new(move |c, out| all.iter().for_each(|list| list.fill(c, out)))
            }
            "difference" => {
                let mut all = self.parts(l)?.into_iter();
                let (a, b) = (all.next(), all.next());
                Ints::new(move |c, out| {
                    let first = out.len();
                    a.iter().for_each(|a| a.fill(c, out));
                    // A value is as often there as it is more often in the first.
                    let mut without = |_: &mut Context<'_>, list: &mut Vec<i32>| {
                        for &value in &*list {
                            let at = out.iter().skip(first).position(|&x| x == value);
                            at.map(|at| out.remove(first + at));
                        }
                    };
                    b.iter().for_each(|b| b.of(c, &mut without));
                })
            }
            "intersection" => {
                let all = self.parts(l)?;
                Ints::new(move |c, out| {
                    let Some((first, others)) = all.split_first() else { return };
                    first.of(c, |c, list| {
                        for other in others {
                            other.of(c, |_, other| list.retain(|x| other.contains(x)));
                        }
                        out.append(list);
                    });
                })
            }
            "if" => {
                let condition = self.bool_at(l, 0)?;
                let yes = self.int_list(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
                let no = match l.arg(2) {
                    Some(v) => Some(self.int_list(v, l)?),
                    None => None,
                };
                Ints::new(move |c, out| match (condition(c), &no) {
                    (true, _) => yes.fill(c, out),
                    (false, Some(no)) => no.fill(c, out),
                    (false, None) => {}
                })
            }
            "results" => {
                let from = self.region(l.labelled("from").ok_or_else(|| unsupported(l))?, l)?;
                let to = self.region(l.labelled("to").ok_or_else(|| unsupported(l))?, l)?;
                let value = self.typed_int(l)?;
                Ints::new(move |c, out| {
                    from.each(c, |c, from| {
                        let at = Registers { from, ..c.at };
                        c.with(at, |c| {
                            to.each(c, |c, site| {
                                let at = Registers { to: site, ..c.at };
                                out.push(c.with(at, |c| value.get(c)));
                                true
                            });
                        });
                        true
                    });
                })
            }
            "players" => {
                let who = self.roles(&Value::Word(first.clone()), l)?;
                let of = self.optional_int(l, "of")?;
                let condition = self.optional_bool(l, "if")?;
                let layout = self.layout;
                Ints::new(move |c, out| {
                    let players = match &of {
                        None => who.get(c),
                        // As another player sees it.
                        Some(of) => {
                            let of = of.get(c).max(0) as usize;
                            let fits = |&p: &usize| match first.as_str() {
                                "All" => true,
                                "Friend" => c.friends(p, of),
                                "Ally" => p != of && c.friends(p, of),
                                "Enemy" => !c.friends(p, of),
                                _ => p != of,
                            };
                            (1..=layout.players).filter(fits).fold(0, |bits, p| bits | 1 << p)
                        }
                    };
                    let players = ones(players).filter(|&p| p >= 1 && p <= layout.players);
                    out.extend(players.map(|p| p as i32).filter(|&player| {
                        condition
                            .as_ref()
                            .is_none_or(|f| c.with(Registers { player, ..c.at }, |c| f(c)))
                    }));
                })
            }
            "sizes" => self.group_sizes(l)?,
            "team" => Ints::new(|c, out| {
                let mover = c.state.s.mover;
                let own = (1..=c.equipment.players).filter(|&p| c.friends(p, mover));
                out.extend(own.map(|p| p as i32));
            }),
            _ => return Err(unsupported(l)),
        })
    }
}
