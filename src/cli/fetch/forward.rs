//! Requests for `http` through a proxy: the proxy gets the whole URL (RFC 9112, section 3.2.2). Requests for `https` go through
//! a tunnel, which ureq makes; most proxies refuse a tunnel to port 80.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ureq::Proxy;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{Buffers, ConnectionDetails, Connector, Either, NextTimeout, Transport};

/// A proxy that is sent whole URLs.
#[derive(Clone, Debug)]
pub struct ForwardProxy(Proxy);

impl ForwardProxy {
    /// The proxy, if it is one for this.
    pub fn new(proxy: &Proxy) -> Option<ForwardProxy> {
        (proxy.uri().scheme_str() == Some("http")).then(|| ForwardProxy(proxy.clone()))
    }

    fn is_for(&self, uri: &Uri) -> bool {
        !self.0.is_no_proxy(uri)
    }

    /// The value of `Proxy-Authorization`.
    fn authorization(&self) -> Option<String> {
        let (user, password) = (self.0.username(), self.0.password());
        let pair = format!("{}:{}", user.unwrap_or_default(), password.unwrap_or_default());
        (user.is_some() || password.is_some()).then(|| format!("Basic {}", STANDARD.encode(pair)))
    }
}

/// Resolves the name of the proxy instead of those of hosts that are asked through it.
#[derive(Debug)]
pub struct ForwardResolver<R> {
    pub inner: R,
    pub proxy: ForwardProxy,
}

impl<R: Resolver> Resolver for ForwardResolver<R> {
    fn resolve(
        &self,
        uri: &Uri,
        config: &ureq::config::Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let asked = if self.proxy.is_for(uri) { self.proxy.0.uri() } else { uri };
        self.inner.resolve(asked, config, timeout)
    }
}

/// Makes connections to the proxy what requests need.
#[derive(Debug)]
pub struct ForwardConnector(pub ForwardProxy);

impl<In: Transport> Connector<In> for ForwardConnector {
    type Out = Either<In, ForwardTransport<In>>;

    fn connect(&self, details: &ConnectionDetails<'_>, chained: Option<In>) -> Result<Option<Self::Out>, ureq::Error> {
        let authority = details.uri.authority().filter(|_| self.0.is_for(details.uri));
        Ok(chained.map(|inner| match authority {
            None => Either::A(inner),
            Some(authority) => Either::B(ForwardTransport {
                inner,
                origin: format!("http://{authority}"),
                authorization: self.0.authorization(),
            }),
        }))
    }
}

/// A connection on which requests get the whole URL.
#[derive(Debug)]
pub struct ForwardTransport<T> {
    inner: T,
    origin: String,
    authorization: Option<String>,
}

impl<T: Transport> Transport for ForwardTransport<T> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.inner.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), ureq::Error> {
        let sent = self.inner.buffers().output().get(..amount).unwrap_or_default();
        // a request has no body, so it begins with what is sent
        let Some(request) = with_origin(sent, &self.origin, self.authorization.as_deref()) else {
            return self.inner.transmit_output(amount, timeout);
        };
        let mut rest = request.as_slice();
        while !rest.is_empty() {
            let buffer = self.inner.buffers().output();
            let (now, later) = rest.split_at(rest.len().min(buffer.len()));
            buffer.iter_mut().zip(now).for_each(|(to, from)| *to = *from);
            self.inner.transmit_output(now.len(), timeout)?;
            rest = later;
        }
        Ok(())
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, ureq::Error> {
        self.inner.await_input(timeout)
    }

    fn is_open(&mut self) -> bool {
        self.inner.is_open()
    }
}

/// A request with the whole URL in its first line, and what the proxy asks for behind that line.
fn with_origin(request: &[u8], origin: &str, authorization: Option<&str>) -> Option<Vec<u8>> {
    const METHOD: &[u8] = b"GET ";
    let path = request.strip_prefix(METHOD).filter(|path| path.starts_with(b"/"))?;
    let line = memchr::memmem::find(path, b"\r\n")? + 2;
    let (path, headers) = path.split_at(line);
    let own = authorization.map(|value| format!("Proxy-Authorization: {value}\r\n")).unwrap_or_default();
    Some([METHOD, origin.as_bytes(), path, own.as_bytes(), headers].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_for_a_proxy_has_the_whole_url() {
        let request = b"GET /a?b HTTP/1.1\r\nHost: a.example\r\n\r\n";
        let sent = with_origin(request, "http://a.example:81", Some("Basic eA==")).expect("a request");
        let expected =
            "GET http://a.example:81/a?b HTTP/1.1\r\nProxy-Authorization: Basic eA==\r\nHost: a.example\r\n\r\n";
        assert_eq!(String::from_utf8(sent).expect("text"), expected);
        assert_eq!(with_origin(b"x: y\r\n\r\n", "http://a.example", None), None);
    }
}
