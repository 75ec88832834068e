//! Country codes (ISO 3166-1) as feeds write them, and currency codes (ISO 4217).
//! Single codes only: splitting a list and the literals `all` and `none` belong to the formats.

use super::bytes::trimmed;

/// A country code as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Country {
    /// Upper-case alpha-2 code.
    pub code: &'static str,
    /// A note on the code, if it was not an assigned alpha-2 code.
    pub note: Option<&'static str>,
}

impl Country {
    /// Whether the code is assigned to a country: reserved and withdrawn ones are kept where they come, but nobody
    /// checks them off.
    pub fn is_assigned(self) -> bool {
        assigned(self.code).is_some()
    }
}

/// Whether a word in a list of countries means all of them or none (Media RSS 1.5.1, `media:restriction`).
pub fn is_literal(word: &str) -> bool {
    word.eq_ignore_ascii_case("all") || word.eq_ignore_ascii_case("none")
}

/// The country of a code in any case: an assigned alpha-2 code unchanged, `UK` as `GB`, an alpha-3 code as its alpha-2
/// code, a reserved or withdrawn code unchanged with a note; `None` for everything else.
pub fn country(code: &str) -> Option<Country> {
    let code = trimmed(code);
    let mut upper = [0; 3];
    let upper = match upper.get_mut(..code.len()) {
        Some(upper) => {
            upper.copy_from_slice(code.as_bytes());
            upper.make_ascii_uppercase();
            std::str::from_utf8(upper).ok()?
        }
        // no code is longer
        None => return None,
    };
    match upper {
        "UK" => return Some(Country { code: "GB", note: Some("the ISO 3166-1 code of the United Kingdom is GB") }),
        "ROM" => return Some(Country { code: "RO", note: Some(ALPHA_3) }),
        _ => {}
    }
    match upper.len() {
        2 => assigned(upper).or_else(|| reserved(upper)),
        3 => by_alpha_3(upper),
        _ => None,
    }
}

/// Whether `code`, in any case, is an ISO 4217 currency code, current or withdrawn since 2021.
pub fn is_currency(code: &str) -> bool {
    let upper = code.trim().to_ascii_uppercase();
    CURRENCIES.binary_search(&upper.as_str()).is_ok()
}

const ALPHA_3: &str = "an alpha-3 code where two letters are expected";
const RESERVED: &str = "a reserved ISO 3166-1 code, not assigned to a country";
const WITHDRAWN: &str = "a withdrawn ISO 3166-1 code";
const USER_ASSIGNED: &str = "a user-assigned code outside ISO 3166-1";

/// Whether a code in any case was that of a country once.
pub(crate) fn was_country(code: &str) -> bool {
    UNASSIGNED.iter().any(|(known, note)| *note == WITHDRAWN && known.eq_ignore_ascii_case(code.trim()))
}

fn assigned(upper: &str) -> Option<Country> {
    let &[first, second] = upper.as_bytes() else { return None };
    let place = usize::from(*PLACES.get(letters(first, second)?)?);
    let (code, _) = COUNTRIES.get(place.checked_sub(1)?)?;
    Some(Country { code, note: None })
}

/// The number of a pair of capital letters, in their order.
const fn letters(first: u8, second: u8) -> Option<usize> {
    if first.is_ascii_uppercase() && second.is_ascii_uppercase() {
        return Some((first - b'A') as usize * 26 + (second - b'A') as usize);
    }
    None
}

/// For each pair of letters its place among the countries, counted from 1; else 0.
const PLACES: [u8; 26 * 26] = {
    assert!(COUNTRIES.len() < 256);
    let mut places = [0; 26 * 26];
    let mut at = 0;
    while at < COUNTRIES.len() {
        let code = COUNTRIES[at].0.as_bytes();
        if let Some(pair) = letters(code[0], code[1]) {
            places[pair] = at as u8 + 1;
        }
        at += 1;
    }
    places
};

fn by_alpha_3(upper: &str) -> Option<Country> {
    let (code, _) = COUNTRIES.iter().find(|(_, alpha_3)| *alpha_3 == upper)?;
    Some(Country { code, note: Some(ALPHA_3) })
}

fn reserved(upper: &str) -> Option<Country> {
    let (code, note) = UNASSIGNED.iter().find(|(code, _)| *code == upper)?;
    Some(Country { code, note: Some(note) })
}

/// Codes that were or could be a country's but are assigned to none (ISO 3166-1 reservations, ISO 3166-3).
const UNASSIGNED: &[(&str, &str)] = &[
    ("AC", RESERVED),
    ("AN", WITHDRAWN),
    ("BU", WITHDRAWN),
    ("CP", RESERVED),
    ("CQ", RESERVED),
    ("CS", WITHDRAWN),
    ("DD", WITHDRAWN),
    ("DG", RESERVED),
    ("EA", RESERVED),
    ("EU", RESERVED),
    ("EZ", RESERVED),
    ("FX", WITHDRAWN),
    ("IC", RESERVED),
    ("NT", WITHDRAWN),
    ("SU", WITHDRAWN),
    ("TA", RESERVED),
    ("TP", WITHDRAWN),
    ("UN", RESERVED),
    ("XK", USER_ASSIGNED),
    ("YU", WITHDRAWN),
    ("ZR", WITHDRAWN),
];

/// ISO 3166-1: alpha-2, alpha-3, in the order of alpha-2.
#[rustfmt::skip]
const COUNTRIES: &[(&str, &str)] = &[
    ("AD", "AND"), ("AE", "ARE"), ("AF", "AFG"), ("AG", "ATG"), ("AI", "AIA"), ("AL", "ALB"),
    ("AM", "ARM"), ("AO", "AGO"), ("AQ", "ATA"), ("AR", "ARG"), ("AS", "ASM"), ("AT", "AUT"),
    ("AU", "AUS"), ("AW", "ABW"), ("AX", "ALA"), ("AZ", "AZE"), ("BA", "BIH"), ("BB", "BRB"),
    ("BD", "BGD"), ("BE", "BEL"), ("BF", "BFA"), ("BG", "BGR"), ("BH", "BHR"), ("BI", "BDI"),
    ("BJ", "BEN"), ("BL", "BLM"), ("BM", "BMU"), ("BN", "BRN"), ("BO", "BOL"), ("BQ", "BES"),
    ("BR", "BRA"), ("BS", "BHS"), ("BT", "BTN"), ("BV", "BVT"), ("BW", "BWA"), ("BY", "BLR"),
    ("BZ", "BLZ"), ("CA", "CAN"), ("CC", "CCK"), ("CD", "COD"), ("CF", "CAF"), ("CG", "COG"),
    ("CH", "CHE"), ("CI", "CIV"), ("CK", "COK"), ("CL", "CHL"), ("CM", "CMR"), ("CN", "CHN"),
    ("CO", "COL"), ("CR", "CRI"), ("CU", "CUB"), ("CV", "CPV"), ("CW", "CUW"), ("CX", "CXR"),
    ("CY", "CYP"), ("CZ", "CZE"), ("DE", "DEU"), ("DJ", "DJI"), ("DK", "DNK"), ("DM", "DMA"),
    ("DO", "DOM"), ("DZ", "DZA"), ("EC", "ECU"), ("EE", "EST"), ("EG", "EGY"), ("EH", "ESH"),
    ("ER", "ERI"), ("ES", "ESP"), ("ET", "ETH"), ("FI", "FIN"), ("FJ", "FJI"), ("FK", "FLK"),
    ("FM", "FSM"), ("FO", "FRO"), ("FR", "FRA"), ("GA", "GAB"), ("GB", "GBR"), ("GD", "GRD"),
    ("GE", "GEO"), ("GF", "GUF"), ("GG", "GGY"), ("GH", "GHA"), ("GI", "GIB"), ("GL", "GRL"),
    ("GM", "GMB"), ("GN", "GIN"), ("GP", "GLP"), ("GQ", "GNQ"), ("GR", "GRC"), ("GS", "SGS"),
    ("GT", "GTM"), ("GU", "GUM"), ("GW", "GNB"), ("GY", "GUY"), ("HK", "HKG"), ("HM", "HMD"),
    ("HN", "HND"), ("HR", "HRV"), ("HT", "HTI"), ("HU", "HUN"), ("ID", "IDN"), ("IE", "IRL"),
    ("IL", "ISR"), ("IM", "IMN"), ("IN", "IND"), ("IO", "IOT"), ("IQ", "IRQ"), ("IR", "IRN"),
    ("IS", "ISL"), ("IT", "ITA"), ("JE", "JEY"), ("JM", "JAM"), ("JO", "JOR"), ("JP", "JPN"),
    ("KE", "KEN"), ("KG", "KGZ"), ("KH", "KHM"), ("KI", "KIR"), ("KM", "COM"), ("KN", "KNA"),
    ("KP", "PRK"), ("KR", "KOR"), ("KW", "KWT"), ("KY", "CYM"), ("KZ", "KAZ"), ("LA", "LAO"),
    ("LB", "LBN"), ("LC", "LCA"), ("LI", "LIE"), ("LK", "LKA"), ("LR", "LBR"), ("LS", "LSO"),
    ("LT", "LTU"), ("LU", "LUX"), ("LV", "LVA"), ("LY", "LBY"), ("MA", "MAR"), ("MC", "MCO"),
    ("MD", "MDA"), ("ME", "MNE"), ("MF", "MAF"), ("MG", "MDG"), ("MH", "MHL"), ("MK", "MKD"),
    ("ML", "MLI"), ("MM", "MMR"), ("MN", "MNG"), ("MO", "MAC"), ("MP", "MNP"), ("MQ", "MTQ"),
    ("MR", "MRT"), ("MS", "MSR"), ("MT", "MLT"), ("MU", "MUS"), ("MV", "MDV"), ("MW", "MWI"),
    ("MX", "MEX"), ("MY", "MYS"), ("MZ", "MOZ"), ("NA", "NAM"), ("NC", "NCL"), ("NE", "NER"),
    ("NF", "NFK"), ("NG", "NGA"), ("NI", "NIC"), ("NL", "NLD"), ("NO", "NOR"), ("NP", "NPL"),
    ("NR", "NRU"), ("NU", "NIU"), ("NZ", "NZL"), ("OM", "OMN"), ("PA", "PAN"), ("PE", "PER"),
    ("PF", "PYF"), ("PG", "PNG"), ("PH", "PHL"), ("PK", "PAK"), ("PL", "POL"), ("PM", "SPM"),
    ("PN", "PCN"), ("PR", "PRI"), ("PS", "PSE"), ("PT", "PRT"), ("PW", "PLW"), ("PY", "PRY"),
    ("QA", "QAT"), ("RE", "REU"), ("RO", "ROU"), ("RS", "SRB"), ("RU", "RUS"), ("RW", "RWA"),
    ("SA", "SAU"), ("SB", "SLB"), ("SC", "SYC"), ("SD", "SDN"), ("SE", "SWE"), ("SG", "SGP"),
    ("SH", "SHN"), ("SI", "SVN"), ("SJ", "SJM"), ("SK", "SVK"), ("SL", "SLE"), ("SM", "SMR"),
    ("SN", "SEN"), ("SO", "SOM"), ("SR", "SUR"), ("SS", "SSD"), ("ST", "STP"), ("SV", "SLV"),
    ("SX", "SXM"), ("SY", "SYR"), ("SZ", "SWZ"), ("TC", "TCA"), ("TD", "TCD"), ("TF", "ATF"),
    ("TG", "TGO"), ("TH", "THA"), ("TJ", "TJK"), ("TK", "TKL"), ("TL", "TLS"), ("TM", "TKM"),
    ("TN", "TUN"), ("TO", "TON"), ("TR", "TUR"), ("TT", "TTO"), ("TV", "TUV"), ("TW", "TWN"),
    ("TZ", "TZA"), ("UA", "UKR"), ("UG", "UGA"), ("UM", "UMI"), ("US", "USA"), ("UY", "URY"),
    ("UZ", "UZB"), ("VA", "VAT"), ("VC", "VCT"), ("VE", "VEN"), ("VG", "VGB"), ("VI", "VIR"),
    ("VN", "VNM"), ("VU", "VUT"), ("WF", "WLF"), ("WS", "WSM"), ("YE", "YEM"), ("YT", "MYT"),
    ("ZA", "ZAF"), ("ZM", "ZMB"), ("ZW", "ZWE"),
];

/// ISO 4217 with its amendments up to 2025. The codes withdrawn since 2021 (ANG, BGN, CUC, HRK, SLL, ZWL)
/// stay: archived feeds carry them.
#[rustfmt::skip]
const CURRENCIES: &[&str] = &[
    "AED", "AFN", "ALL", "AMD", "ANG", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD",
    "BDT", "BGN", "BHD", "BIF", "BMD", "BND", "BOB", "BOV", "BRL", "BSD", "BTN", "BWP",
    "BYN", "BZD", "CAD", "CDF", "CHE", "CHF", "CHW", "CLF", "CLP", "CNY", "COP", "COU",
    "CRC", "CUC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB",
    "EUR", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD",
    "HNL", "HRK", "HTG", "HUF", "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD",
    "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP",
    "LKR", "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRU",
    "MUR", "MVR", "MWK", "MXN", "MXV", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR",
    "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD",
    "RUB", "RWF", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLE", "SLL", "SOS",
    "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TND", "TOP", "TRY",
    "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "USN", "UYI", "UYU", "UYW", "UZS", "VED",
    "VES", "VND", "VUV", "WST", "XAF", "XAG", "XAU", "XBA", "XBB", "XBC", "XBD", "XCD",
    "XCG", "XDR", "XOF", "XPD", "XPF", "XPT", "XSU", "XTS", "XUA", "XXX", "YER", "ZAR",
    "ZMW", "ZWG", "ZWL",
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tables_are_sorted_and_disjoint() {
        assert_eq!(COUNTRIES.len(), 249);
        assert!(COUNTRIES.is_sorted_by(|a, b| a.0 < b.0));
        assert!(CURRENCIES.is_sorted_by(|a, b| a < b));
        assert!(UNASSIGNED.iter().all(|(code, _)| assigned(code).is_none()));
    }

    #[test]
    fn countries() {
        for (written, code, noted) in [
            ("US", "US", false),
            (" de ", "DE", false),
            ("UM", "UM", false),
            ("uk", "GB", true),
            ("usa", "US", true),
            ("ROU", "RO", true),
            ("ROM", "RO", true),
            ("EU", "EU", true),
            ("xk", "XK", true),
            ("CS", "CS", true),
        ] {
            let found = country(written).unwrap();
            assert_eq!((found.code, found.note.is_some()), (code, noted), "{written}");
        }
        for written in ["", "ZZ", "XX", "USAA", "all", "none", "é", "日", "1A", "QQQ"] {
            assert_eq!(country(written), None, "{written}");
        }
    }

    #[test]
    fn currencies() {
        assert!(["EUR", "usd", "RUB", "XCG", "HRK", " JPY "].into_iter().all(is_currency));
        assert!(!["", "EURO", "US", "ABC", "€", "руб"].into_iter().any(is_currency));
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(s in any::<String>()) {
            let _ = (country(&s), is_currency(&s));
        }
    }
}
