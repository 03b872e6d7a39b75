//! Says in words why a page could not be loaded, and what to do about it. Engines give only a name,
//! such as `net::ERR_CONNECTION_REFUSED`, which differs between them.

/// A reason and the advice for it.
struct Fault {
    /// Words of the reasons of both engines, in lower case; the first fault that has one of them
    /// counts.
    words: &'static [&'static str],
    sentence: &'static str,
    advice: &'static str,
}

const FAULTS: &[Fault] = &[
    Fault {
        words: &["err_cert_authority_invalid", "unknown_issuer", "self_signed_cert"],
        sentence: "its certificate is self-signed or of an unknown authority",
        advice: "make the system trust its authority, or use http",
    },
    Fault {
        words: &["err_cert_date_invalid", "expired_certificate", "not_yet_valid_certificate"],
        sentence: "its certificate has expired or is not valid yet",
        advice: "renew it, or correct the clock of this machine",
    },
    Fault {
        words: &["err_cert_common_name_invalid", "bad_cert_domain"],
        sentence: "its certificate is for a different host",
        advice: "use the host of the certificate",
    },
    Fault {
        words: &["err_cert_", "nssbadcert", "certificate", "_cert_", "pkix_error"],
        sentence: "its certificate is not valid",
        advice: "use a valid one, or use http",
    },
    Fault {
        words: &["err_ssl_", "ssl_error_", "nssfailure", "ns_error_net_inadequate_security"],
        sentence: "the server does not answer with TLS",
        advice: "use http, or correct the port",
    },
    Fault {
        words: &["err_unsafe_port", "deniedportaccess", "port_access_not_allowed"],
        sentence: "browsers block this port",
        advice: "serve the page on a different port, such as 3000 or 8080",
    },
    Fault {
        words: &["proxy", "err_tunnel_connection_failed", "err_socks_", "proxyconnectfailure"],
        sentence: "the proxy refuses or does not answer",
        advice: "correct http_proxy, https_proxy or no_proxy, or the proxy of the system",
    },
    Fault {
        words: &["err_name_", "err_dns_", "unknown_host", "dnsnotfound"],
        sentence: "there is no host of this name",
        advice: "check its spelling and the network",
    },
    Fault {
        words: &["connection_refused", "connectionfailure"],
        sentence: "nothing listens there",
        advice: "start the server, or correct the port",
    },
    Fault {
        words: &["err_too_many_redirects", "redirect_loop", "redirectloop"],
        sentence: "it redirects in a circle",
        advice: "check the redirects of the server, and the cookies that it expects",
    },
    Fault {
        words: &["timed_out", "net_timeout", "nettimeout", "unreachable", "disconnected"],
        sentence: "the host does not answer",
        advice: "check the address and the network",
    },
    Fault {
        words: &["empty_response", "_reset", "err_connection_closed", "net_interrupt", "netreset"],
        sentence: "the server closed the connection without an answer",
        advice: "check its log and the port",
    },
    Fault {
        words: &["err_http_response_code_failure"],
        sentence: "the server answered with an error status and without a page",
        advice: "check the path, and the log of the server",
    },
    Fault {
        words: &["file_not_found", "filenotfound"],
        sentence: "there is no such file",
        advice: "check the path",
    },
];

/// Returns why a page could not be loaded, and what to do about it, in one sentence. It has the
/// engine's reason, which can be searched for.
pub(crate) fn described(reason: &str) -> String {
    let name = reason.to_ascii_lowercase();
    let has = |fault: &&Fault| fault.words.iter().any(|word| name.contains(word));
    match FAULTS.iter().find(has) {
        Some(Fault { sentence, advice, .. }) => format!("{sentence} ({reason}); {advice}"),
        None => format!("{reason}; check the address, or start the server and try again"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_has_its_own_sentence_in_both_engines() {
        for (reasons, sentence) in [
            (
                &[
                    "net::ERR_CERT_AUTHORITY_INVALID",
                    "SEC_ERROR_UNKNOWN_ISSUER",
                    "MOZILLA_PKIX_ERROR_SELF_SIGNED_CERT",
                ][..],
                "self-signed",
            ),
            (&["net::ERR_CERT_DATE_INVALID", "SEC_ERROR_EXPIRED_CERTIFICATE"], "has expired"),
            (
                &["net::ERR_CERT_COMMON_NAME_INVALID", "SSL_ERROR_BAD_CERT_DOMAIN"],
                "for a different host",
            ),
            (
                &["net::ERR_CERT_REVOKED", "nssBadCert", "SEC_ERROR_REVOKED_CERTIFICATE"],
                "is not valid (",
            ),
            (
                &["net::ERR_SSL_PROTOCOL_ERROR", "SSL_ERROR_RX_RECORD_TOO_LONG"],
                "does not answer with TLS",
            ),
            (
                &["net::ERR_UNSAFE_PORT", "deniedPortAccess", "NS_ERROR_PORT_ACCESS_NOT_ALLOWED"],
                "block this port",
            ),
            (
                &[
                    "net::ERR_PROXY_CONNECTION_FAILED",
                    "net::ERR_TUNNEL_CONNECTION_FAILED",
                    "NS_ERROR_PROXY_CONNECTION_REFUSED",
                    "NS_ERROR_UNKNOWN_PROXY_HOST",
                ],
                "the proxy",
            ),
            (
                &["net::ERR_NAME_NOT_RESOLVED", "NS_ERROR_UNKNOWN_HOST", "dnsNotFound"],
                "no host of this name",
            ),
            (
                &["net::ERR_CONNECTION_REFUSED", "NS_ERROR_CONNECTION_REFUSED"],
                "nothing listens there",
            ),
            (&["net::ERR_TOO_MANY_REDIRECTS", "NS_ERROR_REDIRECT_LOOP"], "in a circle"),
            (
                &[
                    "net::ERR_CONNECTION_TIMED_OUT",
                    "NS_ERROR_NET_TIMEOUT",
                    "net::ERR_INTERNET_DISCONNECTED",
                ],
                "host does not answer",
            ),
            (
                &["net::ERR_EMPTY_RESPONSE", "net::ERR_CONNECTION_RESET", "NS_ERROR_NET_RESET"],
                "closed the connection",
            ),
            (&["net::ERR_HTTP_RESPONSE_CODE_FAILURE"], "an error status and without a page"),
            (&["net::ERR_FILE_NOT_FOUND", "NS_ERROR_FILE_NOT_FOUND"], "no such file"),
            (
                &["net::ERR_FAILED", "the page could not be loaded"],
                "check the address, or start the server",
            ),
        ] {
            for reason in reasons {
                let said = described(reason);
                assert!(said.contains(sentence) && said.contains(reason), "{said}");
                assert!(said.contains("; ") && !said.contains('\n'), "{said}");
            }
        }
    }
}
