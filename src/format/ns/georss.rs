//! Places of a page: GeoRSS Simple, GeoRSS GML and W3C Basic Geo, read into `location` and written back.
//! Not the places inside a video (`media:location`, media/read.rs).

use std::borrow::Cow;
use std::collections::HashMap;

use crate::emit::Out;
use crate::model::{Entry, Leaf, Location, Mark, Str, Video};
use crate::reason::Reason;
use crate::tree::{Node, Take};
use crate::xml::names::Ns;

/// Reads all places among the children of an item or an entry. Elements of the same vocabularies that say something
/// else (`georss:elev`, `geo:alt`) become modules.
pub fn read<'t, 'a>(item: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    if !item.children().any(|child| matches!(child.ns(), Ns::GeoRss | Ns::Geo)) {
        return;
    }
    let places = &mut entry.location;
    for child in item.children() {
        match (child.ns(), child.name()) {
            (Ns::GeoRss, "point") => point(child, None, take, places),
            (Ns::GeoRss, "line") => shape(child, "line", None, take, places),
            (Ns::GeoRss, "polygon") => shape(child, "polygon", None, take, places),
            (Ns::GeoRss, "box") => shape(child, "box", None, take, places),
            (Ns::GeoRss, "featurename" | "featureName") => name(child, take, places),
            (Ns::GeoRss, "where") => gml(child, take, places),
            (Ns::Geo, "Point") => {
                take.known(child);
                lat_long(child, take, places);
            }
            (Ns::GeoRss, name @ ("elev" | "floor" | "radius" | "featuretypetag" | "relationshiptag")) => {
                take.module(child, format!("georss:{name}"), &mut entry.modules);
            }
            (Ns::Geo, "alt") => take.module(child, "geo:alt", &mut entry.modules),
            _ => (),
        }
    }
    lat_long(item, take, places);
}

fn point<'t, 'a>(element: Node<'t, 'a>, via: Option<Ns>, take: &mut Take<'t, 'a>, places: &mut Vec<Location<'a>>) {
    let mut place = Location::default();
    take.text_via(element, via, &mut place.point);
    places.extend(place.point.is_some().then_some(place));
}

fn shape<'t, 'a>(
    element: Node<'t, 'a>,
    name: &'static str,
    via: Option<Ns>,
    take: &mut Take<'t, 'a>,
    places: &mut Vec<Location<'a>>,
) {
    let mut place = Location { shape: Cow::Borrowed(name), ..Location::default() };
    take.text_via(element, via, &mut place.coordinates);
    places.extend(place.coordinates.is_some().then_some(place));
}

/// A name belongs to the place before it, if that has none.
fn name<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>, places: &mut Vec<Location<'a>>) {
    match places.last_mut().filter(|place| place.name.is_none()) {
        Some(place) => take.text(element, &mut place.name),
        None => {
            let mut place = Location::default();
            take.text(element, &mut place.name);
            places.extend(place.name.is_some().then_some(place));
        }
    }
}

/// `georss:where` with one GML geometry.
fn gml<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>, places: &mut Vec<Location<'a>>) {
    take.known(element);
    let via = Some(Ns::Gml);
    for geometry in element.children().filter(|child| child.ns() == Ns::Gml) {
        match geometry.name() {
            "Point" => {
                if let Some(pos) = below(geometry, &["pos"], take) {
                    point(pos, via, take, places);
                }
            }
            "LineString" => {
                if let Some(list) = below(geometry, &["posList"], take) {
                    shape(list, "line", via, take, places);
                }
            }
            "Polygon" => {
                if let Some(list) = below(geometry, &["exterior", "LinearRing", "posList"], take) {
                    shape(list, "polygon", via, take, places);
                }
            }
            "Envelope" => envelope(geometry, take, places),
            _ => (),
        }
    }
}

/// The element at the end of a path of GML elements; those on the way are known.
fn below<'t, 'a>(element: Node<'t, 'a>, path: &[&str], take: &mut Take<'t, 'a>) -> Option<Node<'t, 'a>> {
    let mut here = element;
    for name in path {
        take.known(here);
        here = here.child(Ns::Gml, name)?;
    }
    Some(here)
}

/// A box: two corners, two leaves, one value.
fn envelope<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>, places: &mut Vec<Location<'a>>) {
    let corners = [below(element, &["lowerCorner"], take), below(element, &["upperCorner"], take)];
    let [Some(lower), Some(upper)] = corners else { return };
    let place = pair(lower, upper, Ns::Gml, take);
    places.extend(place.map(|coordinates| Location {
        shape: Cow::Borrowed("box"),
        coordinates: Some(coordinates),
        ..Location::default()
    }));
}

/// `geo:lat` and `geo:long`, paired in their order; one without its other half stays.
fn lat_long<'t, 'a>(parent: Node<'t, 'a>, take: &mut Take<'t, 'a>, places: &mut Vec<Location<'a>>) {
    let all = |name: &'static str| parent.children().filter(move |child| child.ns() == Ns::Geo && child.name() == name);
    for (lat, long) in all("lat").zip(all("long")) {
        if let Some(value) = pair(lat, long, Ns::Geo, take) {
            places.push(Location { point: Some(value), ..Location::default() });
        }
    }
}

/// Two texts as one value; the second leaf goes where the first goes.
fn pair<'t, 'a>(first: Node<'t, 'a>, second: Node<'t, 'a>, via: Ns, take: &mut Take<'t, 'a>) -> Option<Str<'a>> {
    let (one, two) = (first.text()?, second.text()?);
    if take.taken(two) || two.value().trim().is_empty() {
        return None;
    }
    let leaf = take.leaf::<Cow<'a, str>>(one, Some(via))?;
    take.known(first);
    take.known(second);
    take.follow(two, leaf.mark);
    let value = Cow::Owned(format!("{} {}", leaf.value, two.value().trim()));
    Some(Leaf { value, mark: leaf.mark, via: leaf.via })
}

/// Writes the places of a video, which may have names and points, as those of its page.
pub fn write_of_video(video: &Video<'_>, out: &mut Out<'_, '_>) {
    let change = Some(Reason::UsedForEntry);
    for place in &video.location {
        let Some(point) = &place.point else { continue };
        out.elem_as("georss:point", point.mark, &point.value, change);
        if let Some(name) = &place.description {
            out.elem_as("georss:featurename", name.mark, &name.value, change);
        }
    }
}

/// Writes the places of a page: as they came into the same family, else in GeoRSS Simple. Names: `georss:point`,
/// `georss:line`, `georss:polygon`, `georss:box`, `georss:featurename`.
pub fn write(places: &[Location<'_>], out: &mut Out<'_, '_>) {
    let once = places.len() > 1 && !out.same_family();
    let mut known: HashMap<&str, Mark> = HashMap::new();
    for place in places {
        let Location { point, shape, coordinates, name } = place;
        if let Location { point: Some(point), coordinates: None, name: None, .. } = place
            && once
            && let Some(first) = known.get(point.value.trim())
        {
            out.books().merged_with(point.mark, *first, Reason::SameValue);
            continue;
        }
        known.extend(point.iter().map(|point| (point.value.trim(), point.mark)));
        if let Some(point) = point {
            write_point(point, out);
        }
        if let Some(coordinates) = coordinates {
            write_shape(shape, coordinates, out);
        }
        if let Some(name) = name {
            out.elem_as("georss:featurename", name.mark, &name.value, None);
        }
    }
}

fn write_point(point: &Str<'_>, out: &mut Out<'_, '_>) {
    match (carrier(point, out), halves(&point.value)) {
        (Some(Ns::Gml), _) => gml_element(&["georss:where", "gml:Point", "gml:pos"], point, out),
        (Some(Ns::Geo), Some((lat, long))) => {
            out.elem_as("geo:lat", point.mark, lat, None);
            out.elem_as("geo:long", point.mark, long, None);
        }
        _ => out.elem_as("georss:point", point.mark, &point.value, None),
    }
}

fn write_shape(shape: &str, coordinates: &Str<'_>, out: &mut Out<'_, '_>) {
    let gml = carrier(coordinates, out) == Some(Ns::Gml);
    match shape {
        "line" if gml => gml_element(&["georss:where", "gml:LineString", "gml:posList"], coordinates, out),
        "polygon" if gml => {
            let path = ["georss:where", "gml:Polygon", "gml:exterior", "gml:LinearRing", "gml:posList"];
            gml_element(&path, coordinates, out);
        }
        "box" if gml => write_envelope(coordinates, out),
        "polygon" => out.elem_as("georss:polygon", coordinates.mark, &coordinates.value, None),
        "box" => out.elem_as("georss:box", coordinates.mark, &coordinates.value, None),
        _ => out.elem_as("georss:line", coordinates.mark, &coordinates.value, None),
    }
}

fn write_envelope(coordinates: &Str<'_>, out: &mut Out<'_, '_>) {
    let words: Vec<&str> = coordinates.value.split_whitespace().collect();
    let [south, west, north, east] = words[..] else {
        return out.elem_as("georss:box", coordinates.mark, &coordinates.value, None);
    };
    out.element_always("georss:where", |out| {
        out.element_always("gml:Envelope", |out| {
            out.elem_as("gml:lowerCorner", coordinates.mark, &format!("{south} {west}"), None);
            out.elem_as("gml:upperCorner", coordinates.mark, &format!("{north} {east}"), None);
        });
    });
}

/// One element inside the other, the value in the last.
fn gml_element(path: &[&str], value: &Str<'_>, out: &mut Out<'_, '_>) {
    match path {
        [] => (),
        [last] => out.elem_as(last, value.mark, &value.value, None),
        [outer, inner @ ..] => out.element_always(outer, |out| gml_element(inner, value, out)),
    }
}

/// The vocabulary it came in, if it may go back there.
fn carrier(value: &Str<'_>, out: &Out<'_, '_>) -> Option<Ns> {
    value.via.filter(|_| out.same_family())
}

fn halves(point: &str) -> Option<(&str, &str)> {
    let (lat, long) = point.split_once(char::is_whitespace)?;
    Some((lat.trim(), long.trim()))
}
