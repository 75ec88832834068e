//! Which IP addresses are on the public internet. Nothing is resolved or connected to here.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why a redirect or a link must not lead to this address; nothing for a public one.
///
/// The blocks are those of the special-purpose registries of IANA. An IPv6 address that contains an IPv4 address is
/// judged by that one, too.
pub fn non_public(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => non_public_v4(address),
        IpAddr::V6(address) => non_public_v6(address),
    }
}

fn non_public_v4(address: Ipv4Addr) -> Option<&'static str> {
    let [a, b, c, _] = address.octets();
    Some(match (a, b, c) {
        (0, ..) => "this network",
        (127, ..) => "loopback",
        (10, ..) | (172, 16..=31, _) | (192, 168, _) => "private",
        (100, 64..=127, _) => "shared by a carrier",
        (169, 254, _) => "link-local",
        (192, 0, 0) | (192, 88, 99) => "reserved for protocols",
        (192, 0, 2) | (198, 51, 100) | (203, 0, 113) => "for documentation",
        (198, 18 | 19, _) => "for benchmarks",
        (224..=239, ..) => "multicast",
        (240.., ..) => "reserved",
        _ => return None,
    })
}

fn non_public_v6(address: Ipv6Addr) -> Option<&'static str> {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let v4 = |high: u16, low: u16| {
        let ([one, two], [three, four]) = (high.to_be_bytes(), low.to_be_bytes());
        non_public_v4(Ipv4Addr::new(one, two, three, four))
    };
    match (a, b, c, d, e, f) {
        (0, 0, 0, 0, 0, 0) if (g, h) == (0, 0) => Some("unspecified"),
        (0, 0, 0, 0, 0, 0) if (g, h) == (0, 1) => Some("loopback"),
        // IPv4-mapped, and the prefix that translates to IPv4
        (0, 0, 0, 0, 0, 0xffff) | (0x64, 0xff9b, 0, 0, 0, 0) => v4(g, h),
        // 6to4
        (0x2002, ..) => v4(b, c),
        (0xfc00..=0xfdff, ..) => Some("private"),
        (0xfe80..=0xfebf, ..) => Some("link-local"),
        (0xfec0..=0xfeff, ..) => Some("site-local"),
        (0xff00.., ..) => Some("multicast"),
        // Teredo hides an IPv4 address; the others are for benchmarks, identifiers and protocols
        (0x2001, 0..=0x1ff, ..) => Some("reserved for protocols"),
        (0x2001, 0xdb8, ..) | (0x3fff, 0..=0xfff, ..) => Some("for documentation"),
        (0x2000..=0x3fff, ..) => None,
        _ => Some("reserved"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_addresses_are_not_public() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.127.255.254",
            "127.0.0.1",
            "127.255.0.9",
            "169.254.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::2",
            "::127.0.0.1",
            "::10.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.1.2.3",
            "::ffff:169.254.169.254",
            "::ffff:0:8.8.8.8",
            "64:ff9b::127.0.0.1",
            "64:ff9b::a00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:a00:1::1",
            "2002:c0a8:101::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
            "4000::1",
            "e000::1",
        ] {
            let parsed: IpAddr = address.parse().expect("an address");
            assert!(non_public(parsed).is_some(), "{address}");
        }
    }

    #[test]
    fn neighbours_of_special_blocks_are_public() {
        for address in [
            "1.0.0.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.1",
            "100.63.255.255",
            "100.128.0.1",
            "126.1.1.1",
            "128.0.0.1",
            "169.253.255.255",
            "169.255.0.1",
            "172.15.255.255",
            "172.32.0.1",
            "192.0.1.1",
            "192.0.3.1",
            "192.167.1.1",
            "192.169.1.1",
            "198.17.255.255",
            "198.20.0.1",
            "203.0.112.1",
            "223.255.255.255",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2002:808:808::1",
            "2606:4700:4700::1111",
            "2a00:1450::1",
            "3ffe::1",
        ] {
            let parsed: IpAddr = address.parse().expect("an address");
            assert_eq!(non_public(parsed), None, "{address}");
        }
    }
}
