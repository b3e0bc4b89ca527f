//! Forests in PMML 4.4, the exchange format of the Data Mining Group.
//!
//! One target is a `MiningModel` whose segments are the trees, averaged (`average`) or added
//! (`sum`, gradient boosting). Several targets are a chain of such models (`x-multiModelChain`, an
//! extension of JPMML, which sklearn2pmml writes too). A missing input is replaced by 0.

use crate::fitted::Fitted;
use crate::tree::Tree;
use ludex_core::{Error, Result};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::fmt::Write;

/// A forest with the names of its columns and targets.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The names of the inputs.
    pub features: Vec<String>,
    /// The names of the outputs.
    pub targets: Vec<String>,
    /// A forest or boosted trees.
    pub fitted: Fitted,
}

/// Writes a forest or boosted trees, one tree group a target.
///
/// # Errors
/// Other models, and forests of trees with several targets: PMML has no word for them.
pub fn write(features: &[String], targets: &[String], fitted: &Fitted) -> Result<String> {
    let (groups, method, base, rate) = match fitted {
        Fitted::Forest { groups } if groups.iter().flatten().all(|t| t.outputs == 1) => {
            (groups, "average", vec![0.0; groups.len()], 1.0)
        }
        Fitted::Boosted { base, rate, groups } => (groups, "sum", base.clone(), *rate),
        _ => {
            return Err(Error::Unsupported(
                "PMML holds forests of one tree a target and boosted trees; not this model".into(),
            ));
        }
    };
    if let Some(fault) = fitted.fault(features.len(), targets.len()) {
        return Err(Error::Unsupported(fault));
    }
    // Only the columns that some tree uses: evaluators limit the number of fields.
    let mut used: Vec<usize> = groups
        .iter()
        .flatten()
        .flat_map(|tree| tree.feature.iter().filter_map(|&f| usize::try_from(f).ok()))
        .collect();
    used.sort_unstable();
    used.dedup();
    let asked: Vec<String> = used.iter().map(|&i| features[i].clone()).collect();
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <PMML xmlns=\"http://www.dmg.org/PMML-4_4\" version=\"4.4\">\n\
         <Header><Application name=\"Ludex\"/></Header>\n<DataDictionary>\n",
    );
    for name in targets.iter().chain(&asked) {
        let name = escape(name);
        let _ =
            writeln!(out, "<DataField name=\"{name}\" optype=\"continuous\" dataType=\"double\"/>");
    }
    out.push_str("</DataDictionary>\n");
    let chain = targets.len() > 1;
    if chain {
        out.push_str("<MiningModel functionName=\"regression\">\n<MiningSchema>\n");
        for target in targets {
            let _ =
                writeln!(out, "<MiningField name=\"{}\" usageType=\"target\"/>", escape(target));
        }
        inputs(&mut out, &asked);
        out.push_str("</MiningSchema>\n<Segmentation multipleModelMethod=\"x-multiModelChain\">\n");
    }
    for (i, (target, trees)) in targets.iter().zip(groups).enumerate() {
        if chain {
            let _ = writeln!(out, "<Segment id=\"{}\"><True/>", i + 1);
        }
        out.push_str(&head(&asked, target, method, base[i], rate));
        for (number, tree) in trees.iter().enumerate() {
            segment(&mut out, features, tree, number + 1);
        }
        out.push_str("</Segmentation>\n</MiningModel>\n");
        if chain {
            out.push_str("</Segment>\n");
        }
    }
    if chain {
        out.push_str("</Segmentation>\n</MiningModel>\n");
    }
    out.push_str("</PMML>\n");
    Ok(out)
}

fn inputs(out: &mut String, features: &[String]) {
    for name in features {
        let name = escape(name);
        let _ = writeln!(out, "<MiningField name=\"{name}\" missingValueReplacement=\"0\"/>");
    }
}

/// The text before the trees of one target.
fn head(asked: &[String], target: &str, method: &str, base: f64, rate: f64) -> String {
    let name = escape(target);
    let mut out = format!(
        "<MiningModel functionName=\"regression\">\n<MiningSchema>\n\
         <MiningField name=\"{name}\" usageType=\"target\"/>\n"
    );
    inputs(&mut out, asked);
    out.push_str("</MiningSchema>\n");
    let _ = writeln!(
        out,
        "<Output><OutputField name=\"{}\" optype=\"continuous\" dataType=\"double\" \
         feature=\"predictedValue\"/></Output>",
        escape(&format!("predicted_{target}"))
    );
    if method == "sum" {
        let _ = writeln!(
            out,
            "<Targets><Target field=\"{name}\" rescaleConstant=\"{base}\" rescaleFactor=\"{rate}\"/>\
             </Targets>"
        );
    }
    let _ = writeln!(out, "<Segmentation multipleModelMethod=\"{method}\">");
    out
}

fn segment(out: &mut String, features: &[String], tree: &Tree, number: usize) {
    let _ = writeln!(
        out,
        "<Segment id=\"{number}\"><True/>\n<TreeModel functionName=\"regression\" \
         splitCharacteristic=\"binarySplit\">\n<MiningSchema>"
    );
    let mut used: Vec<usize> =
        tree.feature.iter().filter_map(|&f| usize::try_from(f).ok()).collect();
    used.sort_unstable();
    used.dedup();
    for feature in used {
        let _ = writeln!(out, "<MiningField name=\"{}\"/>", escape(&features[feature]));
    }
    out.push_str("</MiningSchema>\n");
    node(out, features, tree, 0, "<True/>");
    out.push_str("</TreeModel>\n</Segment>\n");
}

fn node(out: &mut String, features: &[String], tree: &Tree, at: usize, predicate: &str) {
    let score = tree.values(at).first().copied().unwrap_or(0.0);
    let _ = writeln!(out, "<Node id=\"{at}\" score=\"{score}\">{predicate}");
    if let Ok(feature) = usize::try_from(tree.feature[at]) {
        let (name, threshold) = (escape(&features[feature]), tree.threshold[at]);
        let test = |operator: &str| {
            format!(
                "<SimplePredicate field=\"{name}\" operator=\"{operator}\" value=\"{threshold}\"/>"
            )
        };
        node(out, features, tree, tree.left[at] as usize, &test("lessOrEqual"));
        node(out, features, tree, tree.right[at] as usize, &test("greaterThan"));
    }
    out.push_str("</Node>\n");
}

fn escape(text: &str) -> String {
    quick_xml::escape::escape(text).into_owned()
}

/// Reads a forest: averaged or added regression trees with binary splits on numbers.
///
/// # Errors
/// Text that is no such document, with what is wrong and the line.
pub fn read(text: &str) -> Result<Document> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().trim_text(true);
    let mut parser = Parser::default();
    loop {
        let line = |reader: &Reader<&[u8]>| {
            let at = (reader.buffer_position() as usize).min(text.len());
            text.as_bytes()[..at].iter().filter(|b| **b == b'\n').count() + 1
        };
        let fail = |reader: &Reader<&[u8]>, reason: String| Error::BadParameter {
            name: format!("PMML, line {}", line(reader)),
            reason,
        };
        let result = match reader.read_event() {
            Err(e) => Err(e.to_string()),
            Ok(Event::Eof) => break,
            Ok(Event::Start(tag)) => parser.start(&tag).map(|()| parser.depth += 1),
            Ok(Event::Empty(tag)) => {
                parser.start(&tag).and_then(|()| parser.end(tag.local_name().as_ref()))
            }
            Ok(Event::End(tag)) => {
                parser.depth = parser.depth.saturating_sub(1);
                parser.end(tag.local_name().as_ref())
            }
            Ok(_) => Ok(()),
        };
        result.map_err(|reason| fail(&reader, reason))?;
        if parser.depth > 20_000 {
            return Err(fail(&reader, "nested too deep".into()));
        }
    }
    parser.finish().map_err(|reason| Error::BadParameter { name: "PMML".into(), reason })
}

/// A tree under construction: the open nodes and the predicate that each came with.
#[derive(Default)]
struct Growing {
    tree: Tree,
    open: Vec<usize>,
}

/// One target's trees.
#[derive(Default)]
struct Group {
    target: String,
    method: String,
    base: f64,
    rate: Option<f64>,
    trees: Vec<Tree>,
}

#[derive(Default)]
struct Parser {
    depth: usize,
    seen: bool,
    fields: Vec<String>,
    targets: Vec<String>,
    /// The target that was named last in a mining schema.
    target: String,
    groups: Vec<Group>,
    growing: Option<Growing>,
}

type Parsed<T> = std::result::Result<T, String>;

impl Parser {
    fn start(&mut self, tag: &BytesStart<'_>) -> Parsed<()> {
        let name = tag.local_name();
        match name.as_ref() {
            "PMML" => self.seen = true,
            "DataField" => self.fields.push(need(tag, "name")?),
            "MiningField" => {
                let usage = attribute(tag, "usageType")?.unwrap_or_default();
                if usage == "target" || usage == "predicted" {
                    let name = need(tag, "name")?;
                    if !self.targets.contains(&name) {
                        self.targets.push(name.clone());
                    }
                    self.target = name;
                }
            }
            "Target" => {
                let number = |key: &str, or: f64| match attribute(tag, key)? {
                    None => Ok(or),
                    Some(text) => finite(&text),
                };
                let base = number("rescaleConstant", 0.0)?;
                let rate = number("rescaleFactor", 1.0)?;
                let target = self.target.clone();
                self.groups.push(Group { target, base, rate: Some(rate), ..Group::default() });
            }
            "Segmentation" => {
                let method = need(tag, "multipleModelMethod")?;
                match method.as_str() {
                    "multiModelChain" | "x-multiModelChain" | "modelChain" => {}
                    "average" | "sum" => {
                        let fresh = self.groups.last().is_none_or(|group| {
                            !group.method.is_empty() || group.target != self.target
                        });
                        if fresh {
                            let target = self.target.clone();
                            self.groups.push(Group { target, ..Group::default() });
                        }
                        if let Some(group) = self.groups.last_mut() {
                            group.method = method;
                        }
                    }
                    other => return Err(format!("`{other}` is no way to join trees here")),
                }
            }
            "TreeModel" => {
                let function = need(tag, "functionName")?;
                if function != "regression" {
                    return Err(format!("a tree for {function}; only regression can be read"));
                }
                if self.growing.is_some() {
                    return Err("a tree inside of a tree".into());
                }
                let tree = Tree { outputs: 1, ..Tree::default() };
                self.growing = Some(Growing { tree, open: Vec::new() });
            }
            "Node" => {
                let score = match attribute(tag, "score")? {
                    Some(text) => finite(&text)?,
                    None => 0.0,
                };
                let growing = self.growing.as_mut().ok_or("a node outside of a tree")?;
                let node = growing.tree.push(&[score]);
                // The predicate, which comes next, says which child of its parent the node is.
                growing.open.push(node);
            }
            "SimplePredicate" => self.predicate(tag)?,
            "CompoundPredicate" | "SimpleSetPredicate" if self.growing.is_some() => {
                return Err("only tests of one number can be read".into());
            }
            "RegressionModel" | "NeuralNetwork" | "SupportVectorMachineModel" | "Scorecard" => {
                return Err("only forests and boosted trees can be read".into());
            }
            _ => {}
        }
        Ok(())
    }

    /// The test by which a node is reached from its parent.
    fn predicate(&mut self, tag: &BytesStart<'_>) -> Parsed<()> {
        let Some(growing) = self.growing.as_mut() else { return Ok(()) };
        let field = need(tag, "field")?;
        let feature =
            self.fields.iter().position(|f| *f == field).ok_or(format!("no field `{field}`"))?;
        let value = finite(&need(tag, "value")?)?;
        let operator = need(tag, "operator")?;
        let [.., parent, child] = growing.open[..] else {
            return Err("a root with a test".into());
        };
        let tree = &mut growing.tree;
        let low = match operator.as_str() {
            "lessOrEqual" => true,
            "greaterThan" => false,
            // With the next smaller number as threshold, < becomes <= and >= becomes >.
            "lessThan" | "greaterOrEqual" => {
                return self.strict(operator == "lessThan", feature, value, parent, child);
            }
            other => return Err(format!("`{other}` is no test of a number")),
        };
        branch(tree, parent, child, feature, value, low)
    }

    fn strict(&mut self, low: bool, feature: usize, value: f64, p: usize, c: usize) -> Parsed<()> {
        let growing = self.growing.as_mut().ok_or("a test outside of a tree")?;
        branch(&mut growing.tree, p, c, feature, value.next_down(), low)
    }

    fn end(&mut self, name: &str) -> Parsed<()> {
        match name {
            "Node" => {
                if let Some(growing) = self.growing.as_mut() {
                    growing.open.pop();
                }
            }
            "TreeModel" => {
                let Some(growing) = self.growing.take() else { return Ok(()) };
                let whole = growing.tree.feature.iter().enumerate().all(|(i, &f)| {
                    f < 0 || (growing.tree.left[i] > 0 && growing.tree.right[i] > 0)
                });
                if !whole || growing.tree.is_empty() {
                    return Err("a split without two sides".into());
                }
                if self.groups.is_empty() {
                    let (target, method) = (self.target.clone(), "average".to_string());
                    self.groups.push(Group { target, method, ..Group::default() });
                }
                if let Some(group) = self.groups.last_mut() {
                    group.trees.push(growing.tree);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(self) -> Parsed<Document> {
        if !self.seen {
            return Err("no PMML element".into());
        }
        let Parser { fields, targets, groups, .. } = self;
        let groups: Vec<Group> = groups.into_iter().filter(|g| !g.trees.is_empty()).collect();
        if groups.is_empty() {
            return Err("no trees".into());
        }
        // Columns of trees count all fields, outputs included; here they must count inputs only.
        let inputs: Vec<usize> =
            (0..fields.len()).filter(|&i| !targets.contains(&fields[i])).collect();
        let mut place = vec![-1i32; fields.len()];
        inputs.iter().enumerate().for_each(|(new, &old)| place[old] = new as i32);
        let boosted = groups.iter().any(|group| group.method == "sum");
        let mut names = Vec::new();
        let (mut base, mut rates, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for mut group in groups {
            for feature in group.trees.iter_mut().flat_map(|tree| &mut tree.feature) {
                if let Ok(old) = usize::try_from(*feature) {
                    *feature = place[old];
                    if *feature < 0 {
                        return Err("a tree that tests its own target".into());
                    }
                }
            }
            if (group.method == "sum") != boosted {
                return Err("averaged and added trees in one document".into());
            }
            names.push(group.target);
            base.push(group.base);
            rates.push(group.rate.unwrap_or(1.0));
            all.push(group.trees);
        }
        let rate = rates.first().copied().unwrap_or(1.0);
        if rates.iter().any(|r| *r != rate) {
            return Err("targets with different factors".into());
        }
        let features: Vec<String> = inputs.iter().map(|&i| fields[i].clone()).collect();
        let fitted = match boosted {
            true => Fitted::Boosted { base, rate, groups: all },
            false => Fitted::Forest { groups: all },
        };
        match fitted.fault(features.len(), names.len()) {
            Some(fault) => Err(fault),
            None => Ok(Document { features, targets: names, fitted }),
        }
    }
}

fn branch(
    tree: &mut Tree,
    parent: usize,
    child: usize,
    feature: usize,
    threshold: f64,
    low: bool,
) -> Parsed<()> {
    let fresh = tree.feature[parent] < 0;
    if !fresh && (tree.feature[parent] != feature as i32 || tree.threshold[parent] != threshold) {
        return Err("the two sides of a split test different things".into());
    }
    (tree.feature[parent], tree.threshold[parent]) = (feature as i32, threshold);
    let side = if low { &mut tree.left[parent] } else { &mut tree.right[parent] };
    if *side != 0 {
        return Err("a split with one side twice".into());
    }
    *side = child as u32;
    Ok(())
}

fn attribute(tag: &BytesStart<'_>, key: &str) -> Parsed<Option<String>> {
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|e| e.to_string())?;
        if attribute.key.as_ref() == key {
            let text = quick_xml::escape::unescape(&attribute.value).map_err(|e| e.to_string())?;
            return Ok(Some(text.into_owned()));
        }
    }
    Ok(None)
}

fn need(tag: &BytesStart<'_>, key: &str) -> Parsed<String> {
    attribute(tag, key)?.ok_or_else(|| format!("`{}` without `{key}`", tag.name().as_ref()))
}

fn finite(text: &str) -> Parsed<f64> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!("`{text}` is no number")),
    }
}
