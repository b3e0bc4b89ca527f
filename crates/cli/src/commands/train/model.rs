//! `ludex train model`

use super::super::SeedArgs;
use crate::error::usage;
use crate::output;
use anyhow::Context;
use clap::Args;
use ludex_learn::measure::family;
use ludex_learn::models::Recipe;
use ludex_learn::table::Table;
use ludex_learn::validate::{
    Estimate, Folds, by_game, errors, mean, numpy_shuffle, predictions, regrets,
};
use ludex_model::file::{FORMAT, VERSION};
use ludex_model::{Matrix, Model as Trained, pmml};
use serde_json::json;
use std::path::PathBuf;

/// Train a model on tables: which agent or heuristic is the best for a game?
#[derive(Args)]
#[command(after_help = "Examples:
  ludex train model --features survey/features.csv --targets survey/agents.csv --out agents.model
  ludex train model ... --features concepts.csv ludemes.csv --model forest --model boost
  ludex train model ... --model 'mean(forest,kernel)' --exclude Chess Go --out held-out.model
  ludex train model ... --model forest --pmml forest.pmml
  ludex train model --list                                list the models

Tables are CSV with the names of the games in the first column; rows are joined by name. The models are compared by \
cross-validation on the same folds. The regret of a model is the win rate that its picks lose against the best agent of \
each game. The first model is trained on all rows and written.")]
pub(crate) struct Model {
    /// The tables of features
    #[arg(long, num_args = 1.., required_unless_present = "list")]
    features: Vec<PathBuf>,
    /// The table of win rates
    #[arg(long, required_unless_present = "list")]
    targets: Option<PathBuf>,
    /// The columns of the targets to learn (default: all)
    #[arg(long, num_args = 1..)]
    columns: Vec<String>,
    /// Features to leave out, such as those that depend on the machine
    #[arg(long, num_args = 1.., default_values = ["MovesPerSecond"])]
    without: Vec<String>,
    /// Games to leave out of training
    #[arg(long, num_args = 1..)]
    exclude: Vec<String>,
    /// A model, may be given several times; --list shows all
    #[arg(long, default_values = ["forest"])]
    model: Vec<String>,
    /// The number of folds of the cross-validation; 0 for none
    #[arg(long, default_value_t = 10)]
    folds: usize,
    /// The seeds of the shuffles before the cross-validation
    #[arg(long, value_delimiter = ',', default_values_t = [1u32])]
    shuffles: Vec<u32>,
    /// Put variants of one game into the same fold
    #[arg(long)]
    grouped: bool,
    /// Write the trained model to this file
    #[arg(long)]
    out: Option<PathBuf>,
    /// Write the trained model as PMML (forests and boosted trees only)
    #[arg(long)]
    pmml: Option<PathBuf>,
    /// A remark that is kept in the file
    #[arg(long, default_value = "")]
    about: String,
    /// The opponent of the measured games and its budget, kept in the file for `ludex predict`
    #[arg(long, default_value = "")]
    against: String,
    #[command(flatten)]
    seed: SeedArgs,
    /// List the models and their parameters
    #[arg(long)]
    list: bool,
    /// Print one JSON object per model
    #[arg(long)]
    json: bool,
}

impl Model {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.list {
            let mut table = output::table(&["model", "parameters", "what"], 3);
            for entry in ludex_learn::models::ENTRIES {
                let parameters: Vec<String> =
                    (entry.params)().iter().map(|p| format!("{}={}", p.key, p.default)).collect();
                table.add_row([entry.name, &parameters.join(", "), entry.summary]);
            }
            return output::print(&table);
        }
        let recipes: Vec<Recipe> = self
            .model
            .iter()
            .map(|text| Ok(text.parse::<Recipe>()?))
            .collect::<anyhow::Result<_>>()?;
        let (features, targets) = self.tables()?;
        self.validate(&recipes, &features, &targets)
            .and_then(|checked| self.keep(&recipes, &features, &targets, checked))
    }

    /// The inputs and the targets of the games that all tables have.
    fn tables(&self) -> anyhow::Result<(Table, Table)> {
        let path = self.targets.as_ref().context("--targets is missing")?;
        let mut targets = Table::read(path)?;
        if !self.columns.is_empty() {
            let place = |name: &String| {
                let found = targets.columns.iter().position(|column| column == name);
                found.ok_or_else(|| usage!("{}: no column `{name}`", path.display()))
            };
            let places: Vec<usize> =
                self.columns.iter().map(place).collect::<anyhow::Result<_>>()?;
            targets = targets.select_columns(&places);
        }
        let mut all = targets.clone();
        for path in &self.features {
            all = all.join(&Table::read(path)?);
        }
        for name in &self.exclude {
            if !all.names.contains(name) {
                eprintln!("ludex: no row is named `{name}`");
            }
        }
        let rows: Vec<usize> =
            (0..all.names.len()).filter(|&i| !self.exclude.contains(&all.names[i])).collect();
        let all = all.select(&rows);
        let n = targets.columns.len();
        let inputs: Vec<usize> =
            (n..all.columns.len()).filter(|&j| !self.without.contains(&all.columns[j])).collect();
        if rows.is_empty() || inputs.is_empty() {
            return Err(usage!("the tables share no game, or no features are left"));
        }
        Ok((all.select_columns(&inputs), all.select_columns(&(0..n).collect::<Vec<_>>())))
    }

    fn folds(&self, names: &[String], shuffle: u32) -> Folds {
        match self.grouped {
            true => {
                let groups: Vec<String> = names.iter().map(|name| family(name)).collect();
                Folds::grouped(&groups, self.folds, ludex_core::Seed(shuffle.into()))
            }
            false => Folds::contiguous(&numpy_shuffle(names.len(), shuffle), self.folds),
        }
    }

    /// Compares the models with each other and with the best single target. Returns the regret of the first model and its
    /// predictions of held-out games.
    fn validate(
        &self,
        recipes: &[Recipe],
        x: &Table,
        y: &Table,
    ) -> anyhow::Result<Option<(f64, Matrix)>> {
        if self.folds < 2 {
            return Ok(None);
        }
        let naive: Recipe = "naive".parse()?;
        let all: Vec<&Recipe> = recipes.iter().chain([&naive]).collect();
        let steps = all.len() * self.folds * self.shuffles.len();
        let bar = output::progress(steps as u64, "validate");
        let mut found: Vec<Vec<f64>> = Vec::new();
        let mut held_out = Vec::new();
        for (number, recipe) in all.iter().enumerate() {
            bar.set_message(recipe.to_string());
            let mut shuffles = Vec::new();
            for &shuffle in &self.shuffles {
                let folds = self.folds(&x.names, shuffle);
                let step = &mut || bar.inc(1);
                let predicted =
                    predictions(recipe, &x.values, &y.values, &folds, self.seed.get(), step)?;
                shuffles.push(regrets(&predicted, &y.values));
                if number == 0 {
                    held_out.push(predicted);
                }
            }
            found.push(by_game(&shuffles));
        }
        bar.finish_and_clear();
        let header = ["model", "regret", "95 % interval", "less the first", "p"];
        let mut table = output::table(&header, 1);
        for (recipe, regrets) in all.iter().zip(&found) {
            let (own, gap) = (Estimate::of(regrets), Estimate::paired(regrets, &found[0]));
            if self.json {
                output::json(&json!({
                    "model": recipe.to_string(),
                    "regret": own.mean,
                    "interval": own.interval,
                    "difference": gap.mean,
                    "p": gap.p,
                    "games": regrets.len(),
                }))?;
            }
            table.add_row([
                recipe.to_string(),
                format!("{:.3}", own.mean),
                format!("{:.3} .. {:.3}", own.interval.low, own.interval.high),
                format!("{:+.3}", gap.mean),
                format!("{:.3}", gap.p),
            ]);
        }
        if !self.json {
            output::line(format!(
                "{} games, {} inputs, {} targets; {} folds{}, {} shuffles\n",
                x.names.len(),
                x.columns.len(),
                y.columns.len(),
                self.folds,
                if self.grouped { " of whole families" } else { "" },
                self.shuffles.len()
            ))?;
            output::print(&table)?;
        }
        Ok(found.first().map(|regrets| (Estimate::of(regrets).mean, mean(&held_out))))
    }

    /// Trains the first model on all rows and writes it.
    fn keep(
        &self,
        recipes: &[Recipe],
        x: &Table,
        y: &Table,
        checked: Option<(f64, Matrix)>,
    ) -> anyhow::Result<()> {
        let Some(recipe) = recipes.first().filter(|_| self.out.is_some() || self.pmml.is_some())
        else {
            return Ok(());
        };
        let fitted = recipe.fit(&x.values, &y.values, self.seed.get())?;
        if let Some(path) = &self.pmml {
            let text = pmml::write(&x.columns, &y.columns, &fitted)?;
            std::fs::write(path, text).with_context(|| path.display().to_string())?;
        }
        if let Some(path) = &self.out {
            let (regret, held_out) = checked.unzip();
            let held_out = held_out.unwrap_or_default();
            let errors = errors(&held_out, &y.values);
            let model = Trained {
                format: FORMAT.into(),
                version: VERSION,
                about: self.about.clone(),
                recipe: recipe.to_string(),
                features: x.columns.clone(),
                targets: y.columns.clone(),
                trained_on: x.names.clone(),
                known: x.values.clone(),
                regret,
                opponent: self.against.clone(),
                held_out,
                errors,
                fitted,
            };
            model.save(path)?;
            if !self.json {
                let size = std::fs::metadata(path).map_or(0, |meta| meta.len());
                let size = output::thousands(size as f64);
                output::line(format!("\n{}: {size} bytes", path.display()))?;
            }
        }
        Ok(())
    }
}
