import { hash } from 'node:crypto';
import { imageSource } from './client-presentation.js';

/** The external resources and targets of a page. */
export interface PageSources {
  readonly scripts: boolean;
  /** URLs of images. */
  readonly images: readonly string[];
  /** Contents of the page's own style elements. */
  readonly styles: readonly string[];
  /** URLs of forms, and of redirects after them. A scheme such as `https:` means all of its URLs. */
  readonly forms: readonly string[];
  readonly frames: readonly string[];
  /** True if the page's script sends requests to the host. */
  readonly asks: boolean;
  /** The only files that may be loaded, by URL. Default: every file of the host. */
  readonly exact?: Readonly<Record<'scripts' | 'styles' | 'workers', readonly string[]>> | undefined;
}

/** Allows no inline code except styles by their hash, no external resources, and no framing. */
export function contentSecurityPolicy({ scripts, images, styles, forms, frames, asks, exact }: PageSources): string {
  const hashes = styles.map((style) => `'sha256-${hash('sha256', asParsed(style), 'base64')}'`);
  const frameSources = sources(frames);
  return [
    "default-src 'none'",
    ['style-src', ...(exact?.styles ?? ["'self'"]), ...hashes].join(' '),
    ["img-src 'self' data:", ...images.map(imageSource).filter((found) => found !== undefined)].join(' '),
    ...(styles.length > 0 || exact !== undefined ? ["font-src 'self' data:"] : []),
    ...(scripts ? [['script-src', ...(exact?.scripts ?? ["'self'"])].join(' ')] : []),
    ...(exact === undefined ? [] : [`worker-src ${exact.workers.join(' ') || "'none'"}`]),
    ...(scripts && asks ? ["connect-src 'self'"] : []),
    ["form-action 'self'", ...sources(forms)].join(' '),
    ...(frameSources.length > 0 ? [`frame-src ${frameSources.join(' ')}`] : []),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Browsers hash a style element after parsing, which normalises line breaks to LF and replaces NUL by U+FFFD. */
function asParsed(style: string): string {
  return style.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
}

function sources(addresses: readonly string[]): string[] {
  return [...new Set(addresses.map(source).filter((found) => found !== undefined))];
}

/**
 * The source expression of a URL. For a host that CSP cannot express (IPv6, RFC 3986 punctuation), its scheme: a `;` in
 * it must not start another directive.
 */
function source(address: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:$/i.test(address)) return address;
  if (!URL.canParse(address)) return undefined;
  const { protocol, host } = new URL(address);
  const plain = /^[a-z0-9._-]+(:\d+)?$/i.test(host);
  return (protocol === 'http:' || protocol === 'https:') && plain ? `${protocol}//${host}` : protocol;
}
