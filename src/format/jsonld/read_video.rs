//! Reads a `VideoObject`: the properties that Google lists, and those that the model has a place for (schema.org 29).
//! Properties of its page go to the entry.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::refer::{ObjectIndex, is_reference, own_id};
use super::value::{
    has_type, is_address, is_file, is_object, is_scalar, member, put, put_duration, put_flag, put_language, put_leaf,
    put_member, put_text, scalar, take_type, term, url, values,
};
use crate::format::ns::media::{is_tag_list, split_at_semicolons};
use crate::json::parse::LIST;
use crate::model::{
    Audience, Available, Category, Copyright, Credit, Entry, File, Gallery, Hash, Image, Leaf, License, Link, Mark,
    PeerLink, Person, Player, Price, Rating, Restriction, Scene, Segment, Str, Subtitle, Thumbnail, TimedText, Tv,
    TypedId, Uploader, Video, VideoLocation,
};
use crate::reason::Reason;
use crate::text::url as urls;
use crate::tree::{Node, Take};
use crate::xml::names::Ns;

/// The properties of a person that have a role in the credits.
pub(super) const ROLES: [(&str, &str); 4] =
    [("actor", "actor"), ("director", "director"), ("musicBy", "composer"), ("producer", "producer")];

/// The rank of the property of a role among those of the others, in the order in which they are written.
fn rank_of_role(credit: &Credit<'_>) -> usize {
    let role = credit.role.as_ref().map_or("", Leaf::as_str);
    let known = ROLES.iter().position(|(_, known)| role == *known);
    // those who created it come first, and its authors last
    known.map_or(if role == "uploader" { 0 } else { ROLES.len() + 1 }, |at| at + 1)
}

/// The schemes of `contentRating`, by the word that begins it.
pub(super) const RATINGS: [(&str, &str); 3] = [("MPAA", "urn:mpaa"), ("V-CHIP", "urn:v-chip"), ("ICRA", "urn:icra")];

/// The properties of an episode.
pub(super) const EPISODE: [&str; 3] = ["partOfSeries", "partOfSeason", "episodeNumber"];

/// The grades that no scheme has but this one.
const GRADES: [(&str, &[&str]); 2] = [
    ("urn:mpaa", &["PG-13", "NC-17"]),
    ("urn:v-chip", &["TV-Y", "TV-Y7", "TV-Y7-FV", "TV-G", "TV-PG", "TV-14", "TV-MA"]),
];

/// The states of a video in Media RSS.
const STATES: [&str; 3] = ["active", "blocked", "deleted"];

/// The type of a file that points to a peer-to-peer network.
pub(super) const TORRENT: &str = "application/x-bittorrent";

/// The types of galleries; the first is written.
pub(super) const GALLERIES: [&str; 4] = ["CollectionPage", "VideoGallery", "MediaGallery", "Collection"];

/// The leaves and objects of one entry.
pub(super) struct ObjectReader<'r, 't, 'a> {
    pub take: &'r mut Take<'t, 'a>,
    pub index: &'r ObjectIndex<'t, 'a>,
    /// The thumbnails of the video by their URLs, and the images of the entry.
    thumbnails: HashMap<&'t str, usize>,
    images: HashMap<&'t str, Mark>,
    /// The pages that were read, and the people, by what they are to the page.
    pub pages: HashSet<u32>,
    people: HashSet<(u32, &'a str)>,
    /// The same by their names and URLs, with the marks of these.
    named_people: HashMap<(&'a str, [&'t str; 2]), [Option<Mark>; 2]>,
    /// The authors of a video are not those of the other videos of the page.
    pub own_authors: bool,
}

impl<'r, 't, 'a> ObjectReader<'r, 't, 'a> {
    pub fn new(take: &'r mut Take<'t, 'a>, index: &'r ObjectIndex<'t, 'a>) -> Self {
        let (thumbnails, images) = (HashMap::new(), HashMap::new());
        let (pages, people, named_people) = Default::default();
        ObjectReader { take, index, thumbnails, images, pages, people, named_people, own_authors: false }
    }
}

impl<'t, 'a> ObjectReader<'_, 't, 'a> {
    /// Reads objects of this type that are the same.
    pub fn video(&mut self, objects: &[Node<'t, 'a>], entry: &mut Entry<'a>) -> Video<'a> {
        let mut video = Video::default();
        let mut file = File::default();
        self.thumbnails.clear();
        for object in objects {
            self.take.known(*object);
            take_type(*object, &["VideoObject"], self.take);
        }
        let members = || objects.iter().flat_map(|object| object.nodes());
        for name in ["mainEntityOfPage", "url"] {
            for node in members().filter(|node| node.name() == name) {
                values(node, self.take).for_each(|value| self.address(name, value, objects, entry, &mut video));
            }
        }
        // events first: whether the video is live counts for its offers
        let is_event = |node: &Node<'t, 'a>| node.name() == "publication";
        for node in members().filter(is_event).chain(members().filter(|node| !is_event(node))) {
            for value in values(node, self.take) {
                let (name, value) = (node.name(), self.target(value));
                match name {
                    "author" if self.own_authors => self.credit(value, "author", &mut video),
                    _ => {
                        let _ = self.of_video(name, value, &mut video, &mut file)
                            || self.of_file(name, value, &mut file)
                            || self.of_page(name, value, entry);
                    }
                }
            }
        }
        if let (Some(_), Some(object), false) = (&file.url, objects.first(), video.files.is_empty()) {
            file.is_default = Some(self.take.constant(*object, "true").with(true));
        }
        if file != File::default() {
            video.files.insert(0, file);
        }
        // properties have no order, so credits get the one in which their properties are written
        video.credits.sort_by_key(rank_of_role);
        // made for values that could not be read
        video.available.take_if(|period| *period == Available::default());
        video.copyright.take_if(|copyright| *copyright == Copyright::default());
        video.player.take_if(|player| *player == Player::default());
        video.restriction.take_if(|restriction| restriction.countries.is_empty());
        video
    }

    /// The object that a reference names, which is then understood; itself for any other value.
    pub fn target(&mut self, value: Node<'t, 'a>) -> Node<'t, 'a> {
        let target = self.index.target(value);
        if target.index != value.index {
            self.take.known(value);
        }
        target
    }

    /// A property of the video itself; false for any other.
    fn of_video(&mut self, name: &'a str, value: Node<'t, 'a>, video: &mut Video<'a>, file: &mut File<'a>) -> bool {
        let take = &mut *self.take;
        match name {
            "name" => put_text(value, take, &mut video.title),
            "description" => put_text(value, take, &mut video.description),
            "thumbnailUrl" | "thumbnail" => self.thumbnail(value, &mut video.thumbnails),
            "uploadDate" => put(value, take, &mut video.published),
            "duration" => put_duration(value, take, &mut video.duration),
            "embedUrl" => {
                if let Some(leaf) = url(value, take) {
                    let player = video.player.get_or_insert_with(Player::default);
                    put_leaf(leaf, take, &mut player.url);
                }
            }
            "expires" => put(value, take, &mut video.available.get_or_insert_with(Available::default).end),
            "interactionStatistic" if !counts_comments(value) => self.counter(value, video),
            "interactionCount" => self.count(value, video),
            "publication" => self.broadcast(value, video),
            "hasPart" => self.part(value, video),
            "regionsAllowed" => self.regions(value, "allow", video),
            "ineligibleRegion" => self.regions(value, "deny", video),
            "requiresSubscription" if is_object(value) => self.subscription(value, &mut video.requires_subscription),
            "requiresSubscription" => put_flag(value, take, &mut video.requires_subscription),
            "keywords" => self.keywords(value, video),
            "genre" => {
                let mut term = None;
                put(value, take, &mut term);
                video.categories.extend(term.map(|term| Category { term: Some(term), ..Category::default() }));
            }
            "creator" => self.uploader(value, video),
            "isFamilyFriendly" => put_flag(value, take, &mut video.family_friendly),
            "contentRating" => self.content_rating(value, video),
            "creativeWorkStatus" => self.status(value, video),
            "aggregateRating" => self.rating(value, video),
            "offers" => self.offer(value, video),
            "copyrightNotice" => {
                put(value, take, &mut video.copyright.get_or_insert_with(Copyright::default).text);
            }
            "usageInfo" => {
                if let Some(leaf) = url(value, take) {
                    put_leaf(leaf, take, &mut video.copyright.get_or_insert_with(Copyright::default).url);
                }
            }
            "license" => self.license(value, video),
            "caption" => self.caption(value, video),
            "comment" => self.comment(value, video),
            "transcript" => {
                let mut text = TimedText::default();
                put_text(value, take, &mut text.value);
                video.texts.extend(Some(text).filter(|text| text.value.is_some()));
            }
            "contentLocation" => self.location(value, video),
            "isPartOf" => self.gallery(value, video),
            name if EPISODE.contains(&name) => self.episode(name, value, video),
            "sha256" => {
                let mut digits = None;
                put(value, take, &mut digits);
                if digits.is_some() {
                    let algo = Some(take.constant(value, "sha-256"));
                    video.hashes.push(Hash { algo, value: digits });
                }
            }
            // two names of one property; a value of the second may be any media
            "encoding" | "associatedMedia"
                if is_object(value)
                    && (name == "encoding"
                        || has_type(value, "MediaObject") && member(value, "contentUrl").is_some()) =>
            {
                let mut other = File::default();
                take.known(value);
                take_type(value, &["MediaObject", "VideoObject"], take);
                for node in value.nodes() {
                    match node.name() {
                        "duration" => put_duration(node, self.take, &mut other.duration),
                        name => _ = self.of_file(name, node, &mut other),
                    }
                }
                let is_peer = other.kind.as_ref().is_some_and(|kind| kind.value.eq_ignore_ascii_case(TORRENT));
                match is_peer && other == (File { url: other.url.clone(), kind: other.kind.clone(), ..File::default() })
                {
                    true => video.peer_links.push(PeerLink { href: other.url, kind: other.kind }),
                    false => video.files.extend(Some(other).filter(|other| *other != File::default())),
                }
            }
            "identifier" if is_object(value) => {
                let mut id = TypedId::default();
                take_type(value, &["PropertyValue"], take);
                put_member(value, "propertyID", take, &mut id.kind);
                put_member(value, "value", take, &mut id.value);
                if id != TypedId::default() {
                    take.known(value);
                    video.ids.push(id);
                }
            }
            "inLanguage" => put_language(value, take, &mut file.lang),
            name => {
                let Some((_, role)) = ROLES.iter().find(|(property, _)| *property == name) else { return false };
                self.credit(value, role, video);
            }
        }
        true
    }

    /// A property of the file; false for any other.
    fn of_file(&mut self, name: &str, value: Node<'t, 'a>, file: &mut File<'a>) -> bool {
        let take = &mut *self.take;
        match name {
            "contentUrl" => {
                if let Some(leaf) = url(value, take) {
                    put_leaf(leaf, take, &mut file.url);
                }
            }
            "encodingFormat" => put(value, take, &mut file.kind),
            "contentSize" => put(value, take, &mut file.size),
            "width" => self.pixels(value, &mut file.width),
            "height" => self.pixels(value, &mut file.height),
            "bitrate" => put(value, take, &mut file.bitrate),
            "inLanguage" => put_language(value, take, &mut file.lang),
            _ => return false,
        }
        true
    }

    /// A number, or a `QuantitativeValue` with one.
    fn pixels(&mut self, value: Node<'t, 'a>, slot: &mut Option<Leaf<u64>>) {
        match is_object(value) {
            true => {
                if let Some(number) = member(value, "value") {
                    self.take.known(value);
                    take_type(value, &["QuantitativeValue", "Distance"], self.take);
                    put_leaf(number, self.take, slot);
                }
            }
            false => put(value, self.take, slot),
        }
    }

    /// A property of the page that the video is on; false for any other.
    pub fn of_page(&mut self, name: &'a str, value: Node<'t, 'a>, entry: &mut Entry<'a>) -> bool {
        let take = &mut *self.take;
        match name {
            "identifier" if is_scalar(value) => put(value, take, &mut entry.id),
            "datePublished" => put(value, take, &mut entry.published),
            "dateModified" => put(value, take, &mut entry.updated),
            "dateCreated" => put(value, take, &mut entry.created),
            "author" | "contributor" => self.person(name, value, entry),
            "publisher" => self.publisher(value, entry),
            "image" => self.image(value, entry),
            "isBasedOn" => self.source(value, entry),
            "discussionUrl" => put(value, take, &mut entry.comments),
            "commentCount" => put(value, take, &mut entry.comment_count),
            "interactionStatistic" => self.counted(value, "CommentAction", &mut entry.comment_count),
            _ => return false,
        }
        true
    }

    /// The page of a video: `mainEntityOfPage`, else `url`. Another URL is one that the video has elsewhere.
    fn address(
        &mut self,
        name: &str,
        value: Node<'t, 'a>,
        objects: &[Node<'t, 'a>],
        entry: &mut Entry<'a>,
        video: &mut Video<'a>,
    ) {
        let target = self.index.target(value);
        let known = entry.loc.as_ref();
        let same = |leaf: Node<'_, '_>, loc: &Str<'_>| urls::is_same(leaf.value(), &loc.value);
        let found = url(value, self.take).map(|leaf| match is_object(value) && target.index != value.index {
            true => member(target, "url").unwrap_or(leaf),
            false => leaf,
        });
        let Some(leaf) = found.filter(is_address) else { return };
        if is_object(value) {
            take_type(value, &["WebPage"], self.take);
        }
        match known {
            Some(loc) if same(leaf, loc) => {
                let mark = loc.mark;
                self.take.merge(leaf, Reason::SameValue, mark);
            }
            None if !is_file(name, objects.iter().copied(), leaf) => self.take.value(leaf, None, &mut entry.loc),
            _ => {
                let mut other = None;
                self.take.value(leaf, None, &mut other);
                if other.is_some() {
                    let kind = Some(self.take.constant(leaf, "url"));
                    video.ids.push(TypedId { kind, value: other });
                }
            }
        }
    }

    fn thumbnail(&mut self, value: Node<'t, 'a>, thumbnails: &mut Vec<Thumbnail<'a>>) {
        let Some(leaf) = image_url(value, self.take) else { return };
        let known = self.thumbnails.get(leaf.value()).copied();
        if let Some(mark) = known.and_then(|at| Some(thumbnails.get(at)?.url.as_ref()?.mark)) {
            self.take.merge(leaf, Reason::SameValue, mark);
        } else {
            let mut made = Thumbnail::default();
            put_leaf(leaf, self.take, &mut made.url);
            if made.url.is_none() {
                return;
            }
            self.thumbnails.insert(leaf.value(), thumbnails.len());
            thumbnails.push(made);
        }
        let at = known.unwrap_or(thumbnails.len().saturating_sub(1));
        let Some(thumbnail) = thumbnails.get_mut(at) else { return };
        if is_object(value) {
            take_type(value, &["ImageObject"], self.take);
            for node in value.nodes() {
                match node.name() {
                    "width" => self.pixels(node, &mut thumbnail.width),
                    "height" => self.pixels(node, &mut thumbnail.height),
                    _ => (),
                }
            }
        }
    }

    fn image(&mut self, value: Node<'t, 'a>, entry: &mut Entry<'a>) {
        let Some(leaf) = image_url(value, self.take) else { return };
        if let Some(mark) = self.images.get(leaf.value()) {
            return self.take.merge(leaf, Reason::SameValue, *mark);
        }
        let mut image = Image::default();
        self.take.value(leaf, None, &mut image.loc);
        if let Some(loc) = &image.loc {
            self.images.insert(leaf.value(), loc.mark);
            if is_object(value) {
                take_type(value, &["ImageObject"], self.take);
            }
            entry.images.push(image);
        }
    }

    /// The URL of what the page is about: a link `via`.
    fn source(&mut self, value: Node<'t, 'a>, entry: &mut Entry<'a>) {
        let Some(leaf) = scalar(value, self.take).filter(|leaf| urls::is_http(leaf.value())) else { return };
        let same = entry.links.iter().filter_map(|link| link.href.as_ref()).find(|href| href.value == leaf.value());
        if let Some(mark) = same.map(|href| href.mark) {
            return self.take.merge(leaf, Reason::SameValue, mark);
        }
        let mut link = Link::default();
        self.take.value(leaf, None, &mut link.href);
        if link.href.is_some() {
            link.rel = Some(self.take.constant(leaf, "via"));
            entry.links.push(link);
        }
    }

    /// A state of Media RSS. The other words of schema.org mean something else.
    fn status(&mut self, value: Node<'t, 'a>, video: &mut Video<'a>) {
        let Some(leaf) = scalar(value, self.take) else { return };
        if video.status.is_none() && STATES.iter().any(|state| state.eq_ignore_ascii_case(leaf.value().trim())) {
            put_leaf(leaf, self.take, &mut video.status.get_or_insert_default().state);
        }
    }

    /// An `InteractionCounter`: views or likes.
    fn counter(&mut self, value: Node<'t, 'a>, video: &mut Video<'a>) {
        if !is_object(value) {
            return self.count(value, video);
        }
        self.counted(value, "WatchAction", &mut video.views);
        self.counted(value, "LikeAction", &mut video.favorites);
    }

    /// Takes the number of an `InteractionCounter` if it counts this action.
    fn counted(&mut self, value: Node<'t, 'a>, action: &str, slot: &mut Option<Leaf<u64>>) {
        let kind = action_of(value).filter(|kind| is_object(value) && is_action(*kind, action));
        let (Some(kind), Some(count)) = (kind, member(value, "userInteractionCount")) else { return };
        let take = &mut *self.take;
        put_leaf(count, take, slot);
        if !take.taken(count) {
            return;
        }
        take.known(value);
        take_type(value, &["InteractionCounter"], take);
        let list = value.nodes().find(|node| node.name() == "interactionType" && node.raw().uri == LIST);
        list.into_iter().for_each(|list| take.known(list));
        match is_object(kind) {
            true => {
                take.known(kind);
                take_type(kind, &[action], take);
                own_id(kind).filter(|_| is_reference(kind)).into_iter().for_each(|id| take.implied(id));
            }
            false => take.implied(kind),
        }
    }

    /// The older `interactionCount`: a number, or `UserPlays:` or `UserLikes:` and a number.
    fn count(&mut self, value: Node<'t, 'a>, video: &mut Video<'a>) {
        let Some(leaf) = scalar(value, self.take) else { return };
        match leaf.value().trim().split_once(':') {
            None => put_leaf(leaf, self.take, &mut video.views),
            Some((kind, count)) if kind.trim_end().eq_ignore_ascii_case("UserPlays") => {
                self.take.value_as(leaf, count, &mut video.views);
            }
            Some((kind, count)) if kind.trim_end().eq_ignore_ascii_case("UserLikes") => {
                self.take.value_as(leaf, count, &mut video.favorites);
            }
            Some(_) => (),
        }
    }

    /// A `BroadcastEvent`. Only of a live video, its start is when it can be seen.
    fn broadcast(&mut self, value: Node<'t, 'a>, video: &mut Video<'a>) {
        let live = member(value, "isLiveBroadcast");
        let Some(live) = live else { return };
        let take = &mut *self.take;
        put_flag(live, take, &mut video.live);
        if !take.taken(live) {
            return;
        }
        take.known(value);
        take_type(value, &["BroadcastEvent"], take);
        if video.live.as_ref().is_some_and(|live| live.value) {
            put_member(value, "startDate", take, &mut video.available.get_or_insert_with(Available::default).start);
        }
    }

    /// A `Clip` is a scene, a part that is a video a segment.
    fn part(&mut self, value: Node<'t, 'a>, video: &mut Video<'a>) {
        let take = &mut *self.take;
        if has_type(value, "Clip") {
            let mut scene = Scene::default();
            take.known(value);
            take_type(value, &["Clip"], take);
            put_member(value, "name", take, &mut scene.title);
            put_member(value, "description", take, &mut scene.description);
            put_member(value, "startOffset", take, &mut scene.start);
            put_member(value, "endOffset", take, &mut scene.end);
            if scene != Scene::default() {
                video.scenes.push(scene);
            }
        } else if has_type(value, "VideoObject") && member(value, "contentUrl").is_some() {
            let mut segment = Segment::default();
            take.known(value);
            take_type(value, &["VideoObject"], take);
            put_member(value, "contentUrl", take, &mut segment.url);
            let length = value.nodes().find(|node| node.name() == "duration");
            length.into_iter().for_each(|node| put_duration(node, take, &mut segment.duration));
            video.segments.push(segment);
        }
    }

    /// Countries: codes, lists of codes, or places that have one.
    fn regions(&mut self, value: Node<'t, 'a>, relationship: &'static str, video: &mut Video<'a>) {
        let said = video.restriction.as_ref().and_then(|own| own.relationship.as_ref());
        if said.is_some_and(|said| said.value != relationship) {
            // there is one restriction
            let first = video.restriction.as_ref().and_then(|own| own.countries.first());
            let mark = first.map_or(Mark::NONE, |first| first.mark);
            let is_in = |node: &Node<'_, '_>| node.index == value.index || node.raw().at < value.raw().end;
            for node in value.and_behind().take_while(is_in) {
                match () {
                    () if node.name() == "@type" => self.take.implied(node),
                    () if is_scalar(node) => self.take.merge(node, Reason::FirstWins, mark),
                    () => self.take.known(node),
                }
            }
            return;
        }
        let inner = |object: Node<'t, 'a>| {
            let place = object.nodes().find(|node| node.name() == "address" && is_object(*node));
            let code = place.and_then(|place| member(place, "addressCountry"));
            code.map(|code| (code, place)).or_else(|| {
                ["identifier", "name"].iter().find_map(|name| member(object, name)).map(|name| (name, None))
            })
        };
        let leaf = match is_object(value) {
            true => {
                let Some((code, place)) = inner(value) else { return };
                self.take.known(value);
                take_type(value, &["Country", "Place"], self.take);
                if let Some(place) = place {
                    self.take.known(place);
                    take_type(place, &["PostalAddress"], self.take);
                }
                code
            }
            false if is_scalar(value) => value,
            false => return,
        };
        let take = &mut *self.take;
        let restriction = video.restriction.get_or_insert_with(|| Restriction {
            relationship: Some(take.constant(leaf, relationship)),
            ..Restriction::default()
        });
        let separates = |c: char| c == ',' || c == ';' || c.is_whitespace();
        match self.take.taken(leaf) && !leaf.value().trim().contains(separates) {
            // a country that several videos refer to
            true => restriction.countries.extend(self.take.again(leaf)),
            false => self.take.parts(leaf, None, separates, &mut restriction.countries),
        }
    }

    /// The keywords of a text, between commas or else semicolons (A11). A term, or a member of a list, is one keyword.
    fn keywords(&mut self, value: Node<'t, 'a>, video: &mut Video<'a>) {
        let term = if is_object(value) { member(value, "name") } else { scalar(value, self.take) };
        // an empty one is no keyword, and stays
        let Some(leaf) = term.filter(|leaf| !leaf.value().trim().is_empty()) else { return };
        if is_object(value) {
            self.take.known(value);
            take_type(value, &["DefinedTerm"], self.take);
        }
        let is_whole = is_object(value) || value.parent().is_some_and(|above| above.raw().uri == LIST);
        match self.take.taken(leaf) && (is_whole || !is_tag_list(leaf.value())) {
            // a term that several videos refer to
            true => video.tags.extend(self.take.again(leaf)),
            false if is_whole => video.tags.extend(self.take.leaf(leaf, None)),
            false if leaf.value().contains(',') => self.take.parts(leaf, None, |c| c == ',', &mut video.tags),
            false => split_at_semicolons(leaf, self.take, &mut video.tags),
        }
    }

    /// A person or an organization with a name, or the name alone. Videos of one page may refer to one author.
    fn person(&mut self, role: &'a str, value: Node<'t, 'a>, entry: &mut Entry<'a>) {
        if !self.people.insert((value.index, role)) {
            return;
        }
        let own = ["name", "url"].map(|name| member(value, name));
        let names = match is_object(value) {
            true => own.map(|leaf| leaf.map_or("", |leaf| leaf.value())),
            false => [value.value(), ""],
        };
        if let Some(marks) = self.named_people.get(&(role, names)).copied() {
            // one of the head that the entry has itself stays there
            if self.take.is_lent(value) || self.is_repetition(value, own, marks) {
                return;
            }
        }
        let people = if role == "author" { &mut entry.authors } else { &mut entry.contributors };
        let mut person = Person::default();
        let take = &mut *self.take;
        match is_object(value) {
            true => {
                put_member(value, "name", take, &mut person.name);
                put_member(value, "email", take, &mut person.email);
                put_member(value, "url", take, &mut person.uri);
                if person != Person::default() {
                    take.known(value);
                    take_type(value, &["Person"], take);
                }
            }
            false => put(value, take, &mut person.name),
        }
        let marks = [&person.name, &person.uri].map(|leaf| leaf.as_ref().map(|leaf| leaf.mark));
        self.named_people.entry((role, names)).or_insert(marks);
        people.extend(Some(person).filter(|person| *person != Person::default()));
    }

    /// Merges the name and the URL of a person with these, unless there is more to say.
    fn is_repetition(&mut self, value: Node<'t, 'a>, own: [Option<Node<'t, 'a>>; 2], with: [Option<Mark>; 2]) -> bool {
        let is_told = |node: Node<'_, '_>| matches!(node.name(), "name" | "url" | "@type");
        let leaves = match is_object(value) {
            true if !value.nodes().all(is_told) => return false,
            true => own,
            false => [Some(value), None],
        };
        for (leaf, with) in leaves.into_iter().zip(with) {
            if let (Some(leaf), Some(with)) = (leaf, with) {
                self.take.merge(leaf, Reason::SameValue, with);
            }
        }
        if is_object(value) {
            self.take.known(value);
            take_type(value, &["Person"], self.take);
        }
        true
    }

    fn publisher(&mut self, value: Node<'t, 'a>, entry: &mut Entry<'a>) {
        match member(value, "name").filter(|_| is_object(value)) {
            Some(name) => {
                put_leaf(name, self.take, &mut entry.publisher);
                self.take.known(value);
                take_type(value, &["Organization"], self.take);
            }
            None => put(value, self.take, &mut entry.publisher),
        }
    }

    /// The first is the uploader, others are credits of that role.
    fn uploader(&mut self, value: Node<'t, 'a>, video: &mut Video<'a>) {
        if video.uploader.is_some() {
            return self.credit(value, "uploader", video);
        }
        let mut uploader = Uploader::default();
        match is_object(value) {
            true => {
                put_member(value, "name", self.take, &mut uploader.name);
                put_member(value, "url", self.take, &mut uploader.uri);
                if uploader != Uploader::default() {
                    self.take.known(value);
                    take_type(value, &["Person"], self.take);
                }
            }
            false => put(value, self.take, &mut uploader.name),
        }
        video.uploader = Some(uploader).filter(|uploader| *uploader != Uploader::default());
    }

    fn credit(&mut self, value: Node<'t, 'a>, role: &'static str, video: &mut Video<'a>) {
        let mut name = None;
        // somebody whom several videos refer to
        let known = member(value, "name").filter(|leaf| is_object(value) && self.take.taken(*leaf));
        match (known, is_object(value)) {
            (Some(leaf), _) => name = self.take.again(leaf),
            (None, true) => {
                put_member(value, "name", self.take, &mut name);
                if name.is_some() {
                    self.take.known(value);
                    take_type(value, &["Person"], self.take);
                }
            }
            (None, false) => put(value, self.take, &mut name),
        }
        if name.is_some() {
            let role = Some(self.take.constant(value, role));
            video.credits.push(Credit { name, role, scheme: None });
        }
    }

    /// A `MediaSubscription` is one that the video requires.
    fn subscription(&mut self, value: Node<'t, 'a>, slot: &mut Option<Leaf<bool>>) {
        if has_type(value, "MediaSubscription") && slot.is_none() {
            self.take.known(value);
            // what else it has stays, with its type
            if value.nodes().all(|node| node.name() == "@type") {
                take_type(value, &["MediaSubscription"], self.take);
            }
            *slot = Some(self.take.constant(value, "true").with(true));
        }
    }

    /// A scheme and a grade of it, or a grade that only one scheme has. Grades of other schemes stay.
    fn content_rating(&mut self, value: Node<'t, 'a>, video: &mut Video<'a>) {
        if has_type(value, "Rating") {
            return self.rating_by(value, video);
        }
        let Some(leaf) = scalar(value, self.take) else { return };
        let text = leaf.value().trim();
        let of_scheme = |(word, grade): (&str, &'t str)| Some((scheme_named(word)?, grade.trim()));
        let bare = || GRADES.iter().find(|(_, grades)| grades.contains(&text)).map(|(scheme, _)| (*scheme, text));
        let Some((scheme, grade)) = text.split_once(' ').map_or_else(bare, of_scheme) else { return };
        let mut whole: Option<Str<'a>> = None;
        self.take.value(leaf, None, &mut whole);
        let Some(whole) = whole else { return };
        let scheme = Some(self.take.constant(leaf, scheme));
        video.ratings.push(Audience { scheme, value: Some(whole.with(Cow::Owned(grade.to_owned()))) });
    }

    /// A `Rating` by the author of a known scheme.
    fn rating_by(&mut self, value: Node<'t, 'a>, video: &mut Video<'a>) {
        let Some(author) = value.nodes().find(|node| node.name() == "author") else { return };
        let author = self.target(author);
        let name = if is_object(author) { member(author, "name") } else { scalar(author, self.take) };
        let Some(name) = name else { return };
        let Some(scheme) = scheme_named(name.value()) else { return };
        let mut grade = None;
        put_member(value, "ratingValue", self.take, &mut grade);
        if grade.is_none() {
            return;
        }
        self.take.known(value);
        take_type(value, &["Rating"], self.take);
        self.take.known(author);
        take_type(author, &["Organization"], self.take);
        self.take.implied(name);
        let scheme = Some(self.take.constant(value, scheme));
        video.ratings.push(Audience { scheme, value: grade });
    }

    fn rating(&mut self, value: Node<'t, 'a>, video: &mut Video<'a>) {
        if !is_object(value) || video.rating.is_some() {
            return;
        }
        let mut rating = Rating::default();
        put_member(value, "ratingValue", self.take, &mut rating.average);
        put_member(value, "ratingCount", self.take, &mut rating.count);
        put_member(value, "worstRating", self.take, &mut rating.min);
        put_member(value, "bestRating", self.take, &mut rating.max);
        if rating != Rating::default() {
            self.take.known(value);
            take_type(value, &["AggregateRating"], self.take);
            video.rating = Some(rating);
        }
    }

    fn offer(&mut self, value: Node<'t, 'a>, video: &mut Video<'a>) {
        if !is_object(value) {
            return;
        }
        let mut price = Price::default();
        put_member(value, "price", self.take, &mut price.amount);
        put_member(value, "url", self.take, &mut price.info);
        let function = member(value, "businessFunction").filter(|node| term_of(node.value()) == "LeaseOut");
        if let Some(function) = function {
            self.take.value_as(function, "rent", &mut price.kind);
        }
        // a currency alone is no price: that of an `AggregateOffer` stays with its prices
        if price == Price::default() {
            return;
        }
        put_member(value, "priceCurrency", self.take, &mut price.currency);
        self.take.known(value);
        take_type(value, &["Offer"], self.take);
        video.prices.push(price);
        // an offer without a price would not be written again
        let period = video.available.get_or_insert_with(Available::default);
        // what is live starts with its broadcast: another start stays where it is
        if video.live.is_none_or(|live| !live.value) {
            ["availabilityStarts", "validFrom"]
                .iter()
                .for_each(|name| put_member(value, name, self.take, &mut period.start));
        }
        let has_end = period.end.is_some();
        ["availabilityEnds", "validThrough"]
            .iter()
            .for_each(|name| put_member(value, name, self.take, &mut period.end));
        if let Some(end) = period.end.as_mut().filter(|_| !has_end) {
            end.via = Some(Ns::None);
        }
    }

    fn license(&mut self, value: Node<'t, 'a>, video: &mut Video<'a>) {
        let mut license = License::default();
        let leaf = url(value, self.take);
        if is_object(value) {
            put_member(value, "name", self.take, &mut license.text);
            leaf.into_iter().for_each(|leaf| put_leaf(leaf, self.take, &mut license.href));
            if license != License::default() {
                self.take.known(value);
                take_type(value, &["CreativeWork"], self.take);
            }
        } else if let Some(leaf) = leaf {
            let slot = if urls::is_http(leaf.value()) { &mut license.href } else { &mut license.text };
            self.take.value(leaf, None, slot);
        }
        video.license.extend(Some(license).filter(|license| *license != License::default()));
    }

    fn caption(&mut self, value: Node<'t, 'a>, video: &mut Video<'a>) {
        let mut subtitle = Subtitle::default();
        if !is_object(value) {
            return;
        }
        put_member(value, "contentUrl", self.take, &mut subtitle.href);
        if let Some(lang) = value.nodes().find(|node| node.name() == "inLanguage") {
            put_language(lang, self.take, &mut subtitle.lang);
        }
        put_member(value, "encodingFormat", self.take, &mut subtitle.kind);
        if subtitle != Subtitle::default() {
            self.take.known(value);
            take_type(value, &["MediaObject"], self.take);
            video.subtitles.push(subtitle);
        }
    }

    fn comment(&mut self, value: Node<'t, 'a>, video: &mut Video<'a>) {
        if !is_object(value) {
            return;
        }
        let mut text = None;
        put_member(value, "text", self.take, &mut text);
        if let Some(text) = text {
            self.take.known(value);
            take_type(value, &["Comment"], self.take);
            video.comments.push(text);
        }
    }

    /// A place: its name and its coordinates.
    fn location(&mut self, value: Node<'t, 'a>, video: &mut Video<'a>) {
        let mut place = VideoLocation::default();
        match is_object(value) {
            true => {
                put_member(value, "name", self.take, &mut place.description);
                let geo = value.nodes().find(|node| node.name() == "geo").map(|geo| self.index.target(geo));
                place.point = geo.filter(|geo| is_object(*geo)).and_then(|geo| self.point(geo));
                if place != VideoLocation::default() {
                    self.take.known(value);
                    take_type(value, &["Place"], self.take);
                }
            }
            false => put(value, self.take, &mut place.description),
        }
        video.location.extend(Some(place).filter(|place| *place != VideoLocation::default()));
    }

    /// Two leaves as one value; the longitude goes where the latitude goes.
    fn point(&mut self, geo: Node<'t, 'a>) -> Option<Str<'a>> {
        let is_number = |leaf: &Node<'_, '_>| leaf.value().trim().parse::<f64>().is_ok_and(f64::is_finite);
        let [latitude, longitude] = ["latitude", "longitude"].map(|name| member(geo, name).filter(is_number));
        let (latitude, longitude) = latitude.zip(longitude)?;
        let mut point: Option<Str<'a>> = None;
        put_leaf(latitude, self.take, &mut point);
        let point = point?;
        self.take.follow(longitude, point.mark);
        self.take.known(geo);
        take_type(geo, &["GeoCoordinates"], self.take);
        let both = Cow::Owned(format!("{} {}", point.value.trim(), longitude.value().trim()));
        Some(point.with(both))
    }

    /// The gallery that the video is part of.
    fn gallery(&mut self, value: Node<'t, 'a>, video: &mut Video<'a>) {
        let is_gallery = GALLERIES.iter().any(|name| has_type(value, name));
        if !is_gallery || video.gallery.is_some() {
            return;
        }
        let mut gallery = Gallery::default();
        put_member(value, "url", self.take, &mut gallery.url);
        put_member(value, "name", self.take, &mut gallery.title);
        if gallery != Gallery::default() {
            self.take.known(value);
            take_type(value, &GALLERIES, self.take);
            video.gallery = Some(gallery);
        }
    }

    pub(super) fn episode(&mut self, name: &str, value: Node<'t, 'a>, video: &mut Video<'a>) {
        let mut tv = video.tv.take().unwrap_or_default();
        let take = &mut *self.take;
        match name {
            "episodeNumber" => put(value, take, &mut tv.episode),
            "partOfSeason" if is_object(value) => {
                put_member(value, "seasonNumber", take, &mut tv.season);
                if tv.season.is_some() {
                    take.known(value);
                    take_type(value, &["TVSeason"], take);
                }
            }
            "partOfSeries" if is_object(value) => {
                put_member(value, "name", take, &mut tv.show_title);
                if tv.show_title.is_some() {
                    take.known(value);
                    take_type(value, &["TVSeries"], take);
                }
            }
            _ => (),
        }
        video.tv = Some(tv).filter(|tv| *tv != Tv::default());
    }
}

/// The URL of an image. The `@id` of one that is described elsewhere is only a name: such names are fragments.
fn image_url<'t, 'a>(value: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Option<Node<'t, 'a>> {
    let is_name = |leaf: &Node<'_, '_>| leaf.name() == "@id" && leaf.value().contains('#');
    url(value, take).filter(|leaf| !is_name(leaf))
}

/// The last part of a term of GoodRelations or schema.org.
fn term_of(name: &str) -> &str {
    name.rsplit(['#', '/', ':']).next().unwrap_or(name)
}

/// Whether an action is of this type: by its name, also as a reference, or as an object.
fn is_action(kind: Node<'_, '_>, name: &str) -> bool {
    match own_id(kind).filter(|_| is_reference(kind)) {
        Some(id) => term(id.value()) == name,
        None if is_object(kind) => has_type(kind, name),
        None => term(kind.value()) == name,
    }
}

/// The scheme of ratings with this name.
fn scheme_named(word: &str) -> Option<&'static str> {
    RATINGS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word.trim())).map(|(_, scheme)| *scheme)
}

/// The action that an `InteractionCounter` counts, also as the only member of a list.
fn action_of<'t, 'a>(counter: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
    let kind = counter.nodes().find(|node| node.name() == "interactionType")?;
    if kind.raw().uri != LIST {
        return Some(kind);
    }
    let mut members = kind.nodes();
    members.next().filter(|_| members.next().is_none())
}

/// Whether an `InteractionCounter` counts the comments, whose number is that of the page.
fn counts_comments(value: Node<'_, '_>) -> bool {
    is_object(value) && action_of(value).is_some_and(|kind| is_action(kind, "CommentAction"))
}
