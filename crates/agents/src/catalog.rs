//! Which agents there are, and what each of them can play.
//!
//! An agent is one [`Entry`] in its own file under `minds/`: name, summary, what it [needs](Needs), and its usual parameters. The
//! list of all entries stands in `minds/mod.rs`. Everything else (reading names, help, completions) follows from the entries.

use crate::agent::Agent;
use crate::minds;
use ludex_core::schema::{Param, Schema};
use ludex_core::spec::Arg;
use ludex_core::{AnyGame, Info, Player, Result, Seed, Spec};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// An agent as people name it.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name that people type.
    pub name: &'static str,
    /// One line on how it chooses its moves.
    pub summary: &'static str,
    /// The agent's demands on a game.
    pub needs: Needs,
    /// The parameters that the bare name stands for.
    pub(crate) usual: fn() -> Arc<dyn AnyRecipe>,
}

impl Entry {
    /// The agent's parameters with their defaults.
    pub fn params(&self) -> Vec<Param> {
        (self.usual)().describe()
    }

    /// Is the bare name enough? `ludo-full`, for one, needs a file.
    pub fn stands_alone(&self) -> bool {
        (self.usual)().read(&Spec::new(self.name)).is_ok()
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entry({})", self.name)
    }
}

/// The demands of an agent on a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needs {
    sight: Sight,
    turns: bool,
    duel: bool,
    game: Option<&'static str>,
    members: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Sight {
    #[default]
    Any,
    Perfect,
    Hidden,
}

impl Needs {
    /// Nothing: it plays every game.
    pub const NOTHING: Needs =
        Needs { sight: Sight::Any, turns: false, duel: false, game: None, members: false };
    /// Perfect information.
    pub const SIGHT: Needs = Needs { sight: Sight::Perfect, ..Needs::NOTHING };
    /// Perfect information, and players who move one at a time.
    pub const TURNS: Needs = Needs { turns: true, ..Needs::SIGHT };
    /// Perfect information, and two players of whom one gains what the other loses.
    pub const DUEL: Needs = Needs { duel: true, ..Needs::SIGHT };
    /// Hidden information.
    pub const HIDDEN: Needs = Needs { sight: Sight::Hidden, ..Needs::NOTHING };
    /// Hidden information, and two players of whom one gains what the other loses.
    pub const HIDDEN_DUEL: Needs = Needs { duel: true, ..Needs::HIDDEN };
    /// A member that can play the game; the [recipe](Recipe::obstacle) knows the members.
    pub const MEMBER: Needs = Needs { members: true, ..Needs::NOTHING };

    /// One game, with any parameters.
    pub const fn game(name: &'static str) -> Needs {
        Needs { game: Some(name), ..Needs::NOTHING }
    }

    /// Why such an agent cannot play such a game; `None` if it can.
    pub(crate) fn obstacle(&self, info: &Info) -> Option<String> {
        let says = |text: &str| Some(text.to_string());
        if let Some(game) = self.game
            && info.name.split('(').next() != Some(game)
        {
            return Some(format!("plays {game} only"));
        }
        match self.sight {
            Sight::Perfect if info.hidden => {
                return says("needs to see the whole position, and this game hides a part");
            }
            Sight::Hidden if !info.hidden => {
                return says("needs hidden information, and this game has none");
            }
            _ => {}
        }
        if self.turns && info.simultaneous {
            return says("needs players who move one by one, and in this game they move at once");
        }
        if self.duel && (info.seats() != 2 || !info.constant_sum) {
            return says("needs two players of whom one gains what the other loses");
        }
        None
    }
}

impl fmt::Display for Needs {
    /// The games that such an agent plays.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(game) = self.game {
            return f.write_str(game);
        }
        if self.members {
            return f.write_str("what one of its members can play");
        }
        if *self == Needs::NOTHING {
            return f.write_str("every game");
        }
        f.write_str(if self.duel { "two-player constant-sum games" } else { "games" })?;
        match self.sight {
            Sight::Any => {}
            Sight::Perfect => f.write_str(" with perfect information")?,
            Sight::Hidden => f.write_str(" with hidden information")?,
        }
        f.write_str(if self.turns { ", one mover at a time" } else { "" })
    }
}

/// The parameters of an agent, and how they make one.
pub trait Recipe: Schema + fmt::Debug + Send + Sync + 'static {
    /// Makes the agent for `seat`. The game meets the entry's [needs](Entry::needs).
    ///
    /// # Errors
    /// A parameter does not fit the game, or a file cannot be read.
    fn build(&self, game: &AnyGame, seat: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>>;

    /// The reason why it cannot play such a game, beyond the entry's [needs](Entry::needs).
    fn obstacle(&self, info: &Info) -> Option<String> {
        let _ = info;
        None
    }

    /// Reads the files that it names, so that a fault shows before the first game.
    ///
    /// # Errors
    /// A file cannot be read.
    fn load(&self) -> Result<()> {
        Ok(())
    }
}

/// A [`Recipe`] of any agent.
pub(crate) trait AnyRecipe: Any + fmt::Debug + Send + Sync {
    fn describe(&self) -> Vec<Param>;
    fn read(&self, spec: &Spec) -> Result<Arc<dyn AnyRecipe>>;
    fn given(&self, usual: &dyn AnyRecipe) -> Vec<Arg>;
    fn build(&self, game: &AnyGame, seat: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>>;
    fn obstacle(&self, info: &Info) -> Option<String>;
    fn load(&self) -> Result<()>;
}

impl<R: Recipe> AnyRecipe for R {
    fn describe(&self) -> Vec<Param> {
        Schema::describe(self)
    }

    fn read(&self, spec: &Spec) -> Result<Arc<dyn AnyRecipe>> {
        Ok(Arc::new(Schema::read(self, spec)?))
    }

    fn given(&self, usual: &dyn AnyRecipe) -> Vec<Arg> {
        let usual: &dyn Any = usual;
        let usual = usual.downcast_ref::<R>();
        debug_assert!(usual.is_some(), "an entry has one type of parameters");
        usual.map_or_else(Vec::new, |usual| Schema::given(self, usual))
    }

    fn build(&self, game: &AnyGame, seat: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        Recipe::build(self, game, seat, seed)
    }

    fn obstacle(&self, info: &Info) -> Option<String> {
        Recipe::obstacle(self, info)
    }

    fn load(&self) -> Result<()> {
        Recipe::load(self)
    }
}

/// All agents, the weakest first.
pub fn catalog() -> &'static [Entry] {
    minds::ALL
}

/// The names of the agents that can play such a game.
pub fn supporting(info: &Info) -> Vec<&'static str> {
    let able = |entry: &&Entry| {
        entry.name.parse::<crate::AgentSpec>().is_ok_and(|spec| spec.obstacle(info).is_none())
    };
    catalog().iter().filter(able).map(|entry| entry.name).collect()
}

/// The agent that plays such a game where no other is named: the strongest honest one. An agent for this one game
/// comes first.
///
/// ```
/// let game = ludex_library::open("kuhn").unwrap();
/// assert_eq!(ludex_agents::usual(ludex_core::Game::info(&game)), "hyperplay-ismcts");
/// ```
pub fn usual(info: &Info) -> &'static str {
    let able = supporting(info);
    let best = ["ludo", "ropasci", "uct", "hyperplay-ismcts", "flat"];
    best.into_iter().find(|name| able.contains(name)).unwrap_or("random")
}

/// The parameters that a bare name stands for, as an [`Entry`] holds them.
pub(crate) fn recipe(params: impl Recipe) -> Arc<dyn AnyRecipe> {
    Arc::new(params)
}
