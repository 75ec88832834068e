//! The elements and attributes of each input format with the types of their values, as data.
//!
//! Written from the formats' specifications and not from the field list of the crate, so that a field the
//! crate forgot is missed by the test and not by both.
//!
//! One element a line, indented under its parent: `name`, with `*` where it may repeat, then the kind of its
//! text (`-` for none), then `attribute=kind`, with `!` where the attribute has to stand. A line `@name` takes
//! in another table. A kind with `|` lists the allowed values, one with a quote mark is that value.
//! A leading `:` is an element that never has a prefix. Prefixes stand for the namespaces of [`NAMESPACES`];
//! no prefix stands for the namespace of the root.

/// Prefix and namespace URI.
pub const NAMESPACES: &[(&str, &str)] = &[
    ("media", "http://search.yahoo.com/mrss/"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("dc", "http://purl.org/dc/elements/1.1/"),
    ("content", "http://purl.org/rss/1.0/modules/content/"),
    ("itunes", "http://www.itunes.com/dtds/podcast-1.0.dtd"),
    ("atom", "http://www.w3.org/2005/Atom"),
    ("georss", "http://www.georss.org/georss"),
    ("gml", "http://www.opengis.net/gml"),
    ("geo", "http://www.w3.org/2003/01/geo/wgs84_pos#"),
    ("slash", "http://purl.org/rss/1.0/modules/slash/"),
    ("wfw", "http://wellformedweb.org/CommentAPI/"),
    ("thr", "http://purl.org/syndication/thread/1.0"),
    ("sy", "http://purl.org/rss/1.0/modules/syndication/"),
    ("creativeCommons", "http://backend.userland.com/creativeCommonsRssModule"),
    ("yt", "http://www.youtube.com/xml/schemas/2015"),
    ("video", "http://www.google.com/schemas/sitemap-video/1.1"),
    ("image", "http://www.google.com/schemas/sitemap-image/1.1"),
    ("news", "http://www.google.com/schemas/sitemap-news/0.9"),
    ("mobile", "http://www.google.com/schemas/sitemap-mobile/1.0"),
    ("pagemap", "http://www.google.com/schemas/sitemap-pagemap/1.0"),
    ("xhtml", "http://www.w3.org/1999/xhtml"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
];

/// Namespaces that only the wide tables use, under their usual prefixes.
pub const MORE_NAMESPACES: &[(&str, &str)] = &[
    ("cc", "http://web.resource.org/cc/"),
    ("admin", "http://webns.net/mvcb/"),
    ("fh", "http://purl.org/syndication/history/1.0"),
    ("source", "http://source.scripting.com/"),
    ("googleplay", "http://www.google.com/schemas/play-podcasts/1.0"),
    ("podcast", "https://podcastindex.org/namespace/1.0"),
    ("gyt", "http://gdata.youtube.com/schemas/2007"),
    ("gd", "http://schemas.google.com/g/2005"),
    ("jwplayer", "http://rss.jwpcdn.com/"),
    ("dm", "http://www.dailymotion.com/dmrss"),
    ("bc", "http://www.brightcove.tv/link"),
    ("kaltura", "http://kaltura.com/playlist/1.0"),
    ("mi", "http://schemas.ingestion.microsoft.com/common/"),
    ("wurl", "http://api.wurl.com/wurlrss/1.0"),
    ("yandex", "http://news.yandex.ru"),
    ("turbo", "http://turbo.yandex.ru"),
    ("ovs", "http://webmaster.yandex.ru/schemas/video"),
];

/// The two namespaces no reader knows.
pub const VENDORS: &[(&str, &str)] =
    &[("acme", "https://acme.example.com/ns/feed"), ("shop", "https://shop.example.net/2026/terms#")];

/// Tables by name.
pub const TABLES: &[(&str, &str)] = &[
    ("media-optional", MEDIA_OPTIONAL),
    ("media", MEDIA),
    ("dc", DC),
    ("dcterms", DCTERMS),
    ("geo", GEO),
    ("person", PERSON),
    ("atom-person", ATOM_PERSON),
    ("rss-channel", RSS_CHANNEL),
    ("rss-channel-modules", RSS_CHANNEL_MODULES),
    ("rss-item", RSS_ITEM),
    ("rss-item-modules", RSS_ITEM_MODULES),
    ("rss", "channel!\n @rss-channel\n @rss-channel-modules\n item*\n  @rss-item\n  @rss-item-modules\n  @vendor"),
    (
        "mrss",
        "channel!\n @rss-channel\n @media-optional\n item*\n  @rss-item\n  @rss-item-modules\n  @media\n  @media-optional\n  @vendor",
    ),
    ("rss-091", RSS_091),
    ("rss-092", RSS_092),
    ("rss-1.0", RSS_1_0),
    ("rss-0.90", RSS_0_90),
    ("atom", ATOM),
    ("atom-feed", ATOM_FEED),
    ("atom-media", ATOM_MEDIA),
    ("atom-entry", ATOM_ENTRY),
    ("atom-0.3", ATOM_0_3),
    ("sitemap", SITEMAP),
    ("video-sitemap", VIDEO_SITEMAP),
    ("sitemap-page", SITEMAP_PAGE),
    ("video", VIDEO),
    ("vendor", VENDOR),
    ("dialect", DIALECT),
    ("more-channel", MORE_CHANNEL),
    ("more-item", MORE_ITEM),
    ("podcast-item", PODCAST_ITEM),
    ("podcast-channel", PODCAST_CHANNEL),
    ("rss-podcast-all", RSS_PODCAST_ALL),
    ("yandex-video-all", YANDEX_VIDEO_ALL),
    ("rss-all", RSS_ALL),
    ("rss-091-all", RSS_091_ALL),
    ("rss-1.0-all", RSS_1_0_ALL),
    ("rss-0.90-all", RSS_0_90_ALL),
    ("atom-all", ATOM_ALL),
    ("atom-0.3-all", ATOM_0_3_ALL),
    ("sitemap-all", SITEMAP_ALL),
];

const MEDIA: &str = "
media:group*
  media:content* - url=media fileSize=int type=mime medium=video|image|audio|document|executable isDefault=bool expression=sample|full|nonstop bitrate=dec framerate=dec samplingrate=dec channels=int duration=dec height=int width=int lang=lang
    @media-optional
    dcterms:valid valid
  @media-optional
media:content* - url=media fileSize=int type=mime medium=video|image|audio|document|executable isDefault=bool expression=sample|full|nonstop bitrate=dec framerate=dec samplingrate=dec channels=int duration=dec height=int width=int lang=lang
  @media-optional
  dcterms:valid valid
";

const MEDIA_OPTIONAL: &str = "
media:rating* word scheme=urn
media:rating* adult|nonadult scheme='urn:simple
media:adult bool
media:title html type=plain|html
media:description html type=plain|html
media:keywords words
media:thumbnail* - url!=url width=int height=int time=npt
media:category* word scheme=url label=text
media:hash hash algo='md5
media:player - url!=url width=int height=int
media:credit* text role=word scheme=urn
media:copyright text url=url
media:text* html type=plain|html lang=lang start=npt end=npt
media:restriction country relationship!=allow|deny type!='country
media:restriction url relationship!=allow|deny type!='uri
media:restriction - relationship!=allow|deny type!='sharing
media:community
  media:starRating - average=dec count=int min=int max=int
  media:statistics - views=int favorites=int
  media:tags tags
media:comments
  media:comment* text
media:embed - url=url width=int height=int
  media:param* text name=word
media:responses
  media:response* text
media:backLinks
  media:backLink* url
media:status - state!=active|blocked|deleted reason=text
media:price* - type=rent|purchase|package|subscription price=money currency=currency info=url
media:license* text type=mime href=url
media:subTitle* - type=mime lang=lang href=url
media:peerLink* - type=mime href=url
media:location* - description=text start=npt end=npt
  georss:where
    gml:Point
      gml:pos point
media:rights - status!=userCreated|official
media:scenes
  media:scene*
    :sceneTitle text
    :sceneDescription text
    :sceneStartTime clock
    :sceneEndTime clock
";

const DC: &str = "
dc:creator* text
dc:contributor* text
dc:publisher* text
dc:date w3c
dc:subject* text
dc:rights text
dc:language lang
dc:title text
dc:description text
dc:identifier word
dc:source text
dc:type text
dc:format text
dc:relation text
dc:coverage text
";

const DCTERMS: &str = "
dcterms:created w3c
dcterms:issued w3c
dcterms:modified w3c
dcterms:available w3c
dcterms:dateCopyrighted w3c
dcterms:valid valid
dcterms:type 'live-video
dcterms:abstract text
dcterms:license url
dcterms:accessRights text
dcterms:rightsHolder text
dcterms:spatial text
dcterms:temporal text
dcterms:extent text
";

const GEO: &str = "
georss:point point
georss:line point
georss:polygon point
georss:box point
georss:elev int
georss:featurename text
georss:where
  gml:Point
    gml:pos point
geo:lat dec
geo:long dec
";

const PERSON: &str = "
name text
uri url
email email
";

const ATOM_PERSON: &str = "
atom:name text
atom:uri url
atom:email email
";

const RSS_CHANNEL: &str = "
title! text
link! url
description! html
language lang
copyright text
managingEditor person
webMaster person
pubDate rfc822
lastBuildDate rfc822
category* text domain=url
generator text
docs url
cloud - domain=word port=int path=word registerProcedure=word protocol=word
ttl int
image
  url url
  title text
  link url
  width small
  height small
  description text
rating text
textInput
  title text
  description text
  name word
  link url
skipHours
  hour* hour
skipDays
  day* Monday|Tuesday|Saturday|Sunday
@vendor
";

const RSS_CHANNEL_MODULES: &str = "
atom:link* - href!=url rel=self|hub|next|alternate|license|related type=mime hreflang=lang title=text length=int
atom:id urn
atom:updated rfc3339
atom:published rfc3339
atom:author*
  @atom-person
atom:contributor*
  @atom-person
atom:category* - term!=word scheme=url label=text
atom:rights text
atom:subtitle text
atom:icon url
atom:logo url
@dc
itunes:title text
itunes:subtitle text
itunes:summary text
itunes:author text
itunes:image - href!=url
itunes:explicit true|false|yes|no|clean
itunes:keywords words
itunes:category* - text!=word
  itunes:category - text!=word
itunes:owner
  itunes:name text
  itunes:email email
itunes:type episodic|serial
itunes:new-feed-url url
itunes:block 'Yes
itunes:complete 'Yes
sy:updatePeriod hourly|daily|weekly|monthly|yearly
sy:updateFrequency int
sy:updateBase w3c
creativeCommons:license* url
";

const RSS_ITEM: &str = "
title text
link page
description html
author person
category* text domain=url
comments url
enclosure* - url!=media length=int type=mime
guid urn isPermaLink='false
guid url isPermaLink='true
pubDate rfc822
source text url=url
";

const RSS_ITEM_MODULES: &str = "
content:encoded html
@dc
@dcterms
itunes:title text
itunes:subtitle text
itunes:summary text
itunes:author text
itunes:image - href!=url
itunes:duration seconds
itunes:explicit true|false|yes|no|clean
itunes:keywords words
itunes:episode int
itunes:season int
itunes:episodeType full|trailer|bonus
atom:link* - href!=url rel=alternate|replies|enclosure|related|via|license|payment type=mime hreflang=lang title=text length=int thr:count=int thr:updated=rfc3339
atom:updated rfc3339
atom:published rfc3339
atom:id urn
atom:author*
  @atom-person
atom:contributor*
  @atom-person
atom:summary construct
atom:content construct
atom:category* - term!=word scheme=url label=text
atom:rights construct
@geo
slash:comments int
slash:section text
slash:department text
slash:hit_parade text
wfw:commentRss url
wfw:comment url
thr:in-reply-to - ref!=urn href=url type=mime source=url
thr:total int
creativeCommons:license* url
";

const RSS_091: &str = "
channel!
  title! text
  link! url
  description! text
  language lang
  copyright text
  managingEditor person
  webMaster person
  pubDate rfc822
  lastBuildDate rfc822
  docs url
  rating text
  image
    url url
    title text
    link url
    width small
    height small
    description text
  textInput
    title text
    description text
    name word
    link url
  skipHours
    hour* hour
  skipDays
    day* Monday|Sunday
  item*
    title text
    link url
    description text
";

const RSS_092: &str = "
channel!
  title! text
  link! url
  description! text
  language lang
  cloud - domain=word port=int path=word registerProcedure=word protocol=word
  item*
    title text
    link url
    description html type='text/html
    category* text domain=url
    enclosure* - url!=media length=int type=mime
    source text url=url
    pubDate rfc822
    expirationDate rfc822
    author person
    comments url
    guid urn isPermaLink='false
";

const RSS_1_0: &str = "
channel! - rdf:about!=url
  title! text
  link! url
  description! text
  image - rdf:resource!=url
  items
    rdf:Seq
      rdf:li* - rdf:resource!=url
  textinput - rdf:resource!=url
  @dc
  sy:updatePeriod hourly|daily
  sy:updateFrequency int
  sy:updateBase w3c
image - rdf:about=url
  title text
  link url
  url url
item* - rdf:about!=url
  title text
  link url
  description text
  content:encoded html
  @dc
  slash:comments int
  slash:section text
  @vendor
textinput - rdf:about=url
  title text
  description text
  name word
  link url
";

const RSS_0_90: &str = "
channel!
  title! text
  link! url
  description! text
image
  title text
  link url
  url url
item*
  title text
  link url
textinput
  title text
  description text
  name word
  link url
";

const ATOM: &str = "
@atom-feed
entry*
  @atom-entry
";

const ATOM_FEED: &str = "
id! urn
title! construct
updated! rfc3339
subtitle construct
author*
  @person
contributor*
  @person
link* - href!=url rel=self|hub|next|alternate|license|related type=mime hreflang=lang title=text length=int
category* - term!=word scheme=url label=text
generator text uri=url version=word
icon url
logo url
rights construct
yt:channelId word
yt:playlistId word
sy:updatePeriod hourly|daily
sy:updateFrequency int
@vendor
";

const ATOM_MEDIA: &str = "
@atom-feed
@media-optional
entry*
  @atom-entry
  @media
  @media-optional
";

const ATOM_ENTRY: &str = "
id! urn
title! construct
updated! rfc3339
published rfc3339
author*
  @person
contributor*
  @person
link* - href!=page rel=alternate|replies|enclosure|related|via|license type=mime hreflang=lang title=text length=int thr:count=int thr:updated=rfc3339
category* - term!=word scheme=url label=text
rights construct
summary construct
content construct
source
  id urn
  title construct
  updated rfc3339
  author
    @person
  contributor
    @person
  link* - href!=url rel=self|alternate type=mime title=text
  category* - term!=word scheme=url label=text
  generator text uri=url version=word
  icon url
  logo url
  rights construct
  subtitle construct
thr:in-reply-to - ref!=urn href=url type=mime source=url
thr:total int
@geo
@dcterms
yt:videoId word
yt:channelId word
@vendor
";

const ATOM_0_3: &str = "
id urn
title! text
tagline text
copyright text
info html mode='escaped type='text/html
modified rfc3339
author
  name text
  url url
  email email
contributor*
  @person
link* - rel!=alternate|service.post|related type=mime href!=url title=text
generator text url=url version=word
entry*
  id! urn
  title! text mode='xml type='text/plain
  issued rfc3339
  modified rfc3339
  created rfc3339
  summary text
  content* html type='text/html mode='escaped
  link* - rel!=alternate|related type=mime href!=url title=text
  author
    name text
    url url
    email email
  contributor*
    @person
  @vendor
";

const SITEMAP: &str = "
url*
  @sitemap-page
";

const VIDEO_SITEMAP: &str = "
url*
  @sitemap-page
  @video
";

const SITEMAP_PAGE: &str = "
loc! page
lastmod w3c
changefreq always|hourly|daily|weekly|monthly|yearly|never
priority unit
expires w3c
image:image*
  image:loc! url
  image:caption text
  image:geo_location text
  image:title text
  image:license url
news:news
  news:publication!
    news:name! text
    news:language! ru|en|zh-cn
  news:access Subscription|Registration
  news:genres PressRelease|Blog|OpEd
  news:publication_date! w3c
  news:title! text
  news:keywords words
  news:stock_tickers words
mobile:mobile flag
xhtml:link* - rel!=alternate|amphtml hreflang=lang href!=url media=text
pagemap:PageMap
  pagemap:Template - src=url
  pagemap:DataObject* - type=word id=word
    pagemap:Attribute* text name=word
    pagemap:Attribute* - name!=word value!=word
@vendor
";

const VIDEO: &str = "
video:video*
  video:thumbnail_loc! url
  video:title! text
  video:description! text
  video:content_loc media
  video:player_loc url allow_embed=yes|no autoplay=word
  video:duration seconds
  video:expiration_date w3c
  video:rating star
  video:content_segment_loc* media duration=seconds
  video:view_count int
  video:publication_date w3c
  video:tag* text
  video:category text
  video:family_friendly yes|no
  video:restriction COUNTRY relationship!=allow|deny
  video:gallery_loc url title=text
  video:price* money currency=currency type=rent|purchase|own|RENT resolution=hd|sd|HD
  video:requires_subscription yes|no
  video:uploader text info=url
  video:tvshow
    video:show_title! text
    video:video_type! full|preview|clip|interview|news|other
    video:episode_title text
    video:season_number int
    video:episode_number int
    video:premier_date w3c
  video:platform web|mobile|tv relationship!=allow|deny
  video:live yes|no
  video:id* word type!=tms:series|tms:program|rovi:series|rovi:program|freebase
  @vendor
";

const VENDOR: &str = "
acme:pack* - code=word acme:tier=word
  shop:slot* text order=word
  acme:deep
    shop:deeper
      acme:deepest word
shop:note text kind=word
";

const DIALECT: &str = "
gyt:duration - seconds!=seconds
gyt:statistics - viewCount=int favoriteCount=int
gyt:uploaded rfc3339
gd:rating - average!=dec numRaters=int min=int max=int
jwplayer:mediaid word
jwplayer:image url
jwplayer:source* - file!=media type=mp4|webm|hls|mp3 default=bool width=int height=int label=text
jwplayer:track* - file!=url kind=captions|chapters label=text
jwplayer:file media
jwplayer:duration seconds
dm:id word
dm:author text
dm:views int
dm:favorites int
dm:comments int
dm:videorating star
dm:videovotes int
dm:channels text
bc:titleid word
bc:duration int
bc:viewcount int period=all-time|week
bc:embeddable bool
kaltura:entryId word
kaltura:duration int
kaltura:views int
kaltura:votes int
kaltura:tags words
kaltura:createdAtInt int
kaltura:sunrise int
kaltura:sunset int
kaltura:credit text
mi:dateTimeWritten w3c
mi:shortTitle text
mi:duration seconds
wurl:series text
wurl:season int
wurl:episode int
wurl:firstAired w3c
yandex:full-text html
turbo:topic text
turbo:content html
podcast:alternateEnclosure* - url=media type=mime length=int bitrate=dec height=int lang=lang title=text rel=default|alternate codecs=word default=bool
  podcast:source* - uri!=media contentType=mime
podcast:image* - href!=url purpose=poster|cover width=int
@podcast-item
googleplay:author text
googleplay:description text
googleplay:image - href!=url
googleplay:explicit yes|no|clean
source:markdown text
";

/// Podcasting 2.0 in an item.
const PODCAST_ITEM: &str = "
podcast:person* text role=word href=url img=url group=word
podcast:transcript* - url!=url type=text/vtt|application/x-subrip|text/html language=lang rel='captions
podcast:season int name=text
podcast:episode dec display=text
podcast:license text url=url
podcast:location* text geo=word osm=word country=word
podcast:location* text geo='geo:60.1699,24.9384;u=9
podcast:chapters - url!=url type=mime
podcast:soundbite* text startTime=dec duration=dec
podcast:socialInteract - protocol=word uri=url
podcast:value* - type=word method=word
  podcast:valueRecipient* - name=text type=word address=word split=int
";

const PODCAST_CHANNEL: &str = "
podcast:guid word
podcast:medium video|film|podcast
podcast:locked yes|no owner=email
podcast:funding* text url!=url
podcast:person* text role=word
podcast:license text url=url
podcast:location text geo=word
podcast:trailer* text url!=url pubdate=rfc822 length=int type=mime
podcast:image* - href!=url purpose=poster|cover
podcast:updateFrequency text complete=bool
";

const YANDEX_VIDEO_ALL: &str = "
ovs:video*
  ovs:url! url
  ovs:thumbnail! url
  ovs:title! text
  ovs:description! text
  ovs:upload_date w3c
  ovs:duration int
  ovs:adult yes|no
  ovs:content_id word
  ovs:content_url media
  ovs:embed_url url
  ovs:allow_embed yes|no
  ovs:views_total int
  ovs:likes int
  ovs:comments int
  ovs:login text
  ovs:tag* text
  ovs:quality word
  @vendor
";

const RSS_PODCAST_ALL: &str = "
channel!
  @rss-channel
  @rss-channel-modules
  @podcast-channel
  item*
    @rss-item
    @rss-item-modules
    @podcast-item
    podcast:alternateEnclosure* - type=video/mp4|audio/mpeg length=int bitrate=dec height=int lang=lang title=text codecs=word default=bool
      podcast:source* - uri!=media contentType=mime
      podcast:integrity - type='sri value=word
    podcast:image* - href!=url purpose='poster width=int height=int alt=text
    @media-optional
    @vendor
";

const MORE_CHANNEL: &str = "
@rss-channel-modules
@media-optional
cc:license* - rdf:resource!=url
admin:generatorAgent - rdf:resource!=url
fh:complete flag
fh:archive flag
googleplay:author text
googleplay:description text
googleplay:image - href!=url
googleplay:explicit yes|no
podcast:locked yes|no owner=email
";

const MORE_ITEM: &str = "
@rss-item-modules
@media
@media-optional
@dialect
@vendor
description twice
author text
enclosure - url!=media length='0 type=mime
media:restriction all|none|ALL relationship=allow|deny type='country
media:description twice type=plain|html xml:lang=lang
cc:license* - rdf:resource!=url
cc:license url
";

const RSS_ALL: &str = "
channel! - rdf:about=url
  @rss-channel
  @more-channel
  items
    rdf:Seq
      rdf:li* - rdf:resource!=url
  item* - rdf:about=url
    @rss-item
    @more-item
  podcast:liveItem* - status!=pending|live|ended start=rfc3339 end=rfc3339
    title text
    guid urn isPermaLink='false
    enclosure - url!=media length=int type=mime
    podcast:contentLink* text href!=url
";

const RSS_091_ALL: &str = "
channel!
  title! text
  link! url
  description! text
  @more-channel
  item*
    title text
    link url
    description html
    @more-item
";

const RSS_1_0_ALL: &str = "
channel! - rdf:about!=url
  title! text
  link! url
  description! text
  image - rdf:resource!=url
  items
    rdf:Seq
      rdf:li* - rdf:resource!=url
  textinput - rdf:resource!=url
  @more-channel
image - rdf:about=url
  title text
  link url
  url url
item* - rdf:about!=url
  title text
  link url
  description html
  @more-item
textinput - rdf:about=url
  title text
  description text
  name word
  link url
";

const RSS_0_90_ALL: &str = "
channel!
  title! text
  link! url
  description! text
image
  title text
  link url
  url url
item*
  title text
  link url
  @more-item
";

const ATOM_ALL: &str = "
@atom-feed
@media-optional
entry*
  @atom-entry
  summary text type=text/xml|text/plain|text/html
  content - src!=url type=mime
  @dc
  cc:license - rdf:resource!=url
  itunes:image - href!=url
  @media
  @media-optional
  @dialect
";

const ATOM_0_3_ALL: &str = "
id urn
title! construct
tagline text
copyright text
info html mode='escaped type='text/html
modified rfc3339
author
  name text
  url url
  email email
link* - rel!=alternate|service.post|related type=mime href!=url title=text
generator text url=url version=word
@dc
@media-optional
entry*
  id! urn
  title! text mode='xml type='text/plain
  issued rfc3339
  modified rfc3339
  created rfc3339
  summary text
  summary base64 mode='base64 type='text/plain
  content* html type='text/html mode='escaped
  content base64 mode='base64 type=text/html|image/png
  content construct
  link* - rel!=alternate|related|replies|license|enclosure type=mime href!=url title=text
  author
    name text
    url url
    email email
  contributor*
    @person
  @dc
  @dcterms
  @geo
  @media
  @media-optional
  @dialect
  @vendor
";

const SITEMAP_ALL: &str = "
url*
  @sitemap-page
  @video
  dcterms:modified w3c
  media:title html
  atom:link - href!=url rel='alternate
";
