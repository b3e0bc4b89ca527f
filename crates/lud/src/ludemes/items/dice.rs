//! `(dice …)`: dice.

use super::{ItemArgs, Result, Stage, item};
use crate::compile::Value;
use crate::compile::slots::literals;
use crate::engine::equipment::{Container, Die};
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[item(
    "dice [d:int] ([faces:{int}] | [facesByDie:{{int}}] | [from:int]) [roleType] num:int [biased:{int}]",
    "Dice.",
    "(dice d:6 num:2)",
    Stage::Dice,
    add,
)];

fn add(args: &mut ItemArgs<'_, '_>) -> Result<()> {
    let sides = args.literal("d")?.unwrap_or(6).clamp(1, 1000);
    let count = args.literal("num")?.unwrap_or(1);
    if !(1..=32).contains(&count) {
        return Err(args.unsupported());
    }
    let from = args.literal("from")?.unwrap_or(1);
    let shared = args.literals("faces")?;
    let shared = shared.unwrap_or_else(|| (from..from.saturating_add(sides)).collect());
    let biased = args.literals("biased")?.unwrap_or_default();
    let by_die = args.take("facesByDie").map_or(&[][..], Value::items);
    let by_die: Option<Vec<Vec<i32>>> = by_die.iter().map(literals).collect();
    let by_die = by_die.ok_or_else(|| args.unsupported())?;
    // Dice are everybody's: who throws them is a matter of the rules.
    args.word("roleType");
    let equipment = &mut *args.equipment;
    let hand = equipment.containers.iter().filter(|k| k.name.starts_with("Dice")).count();
    let (first, owner) = (equipment.sites as u32, equipment.players + 1);
    let name = format!("Dice{hand}");
    equipment.containers.push(Container { name, from: first, sites: count as u32, owner });
    for die in 0..count as usize {
        let faces = by_die.get(die).cloned().unwrap_or_else(|| shared.clone());
        let site = first + die as u32;
        equipment.dice.push(Die { site, faces, biased: biased.clone(), hand });
        let number = equipment.dice.len();
        equipment.component("Die", owner).name = format!("Die{number}");
    }
    equipment.sites += count as usize;
    Ok(())
}
