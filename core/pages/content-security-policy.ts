import { hash } from 'node:crypto';
import { imageSource } from './client-presentation.js';

/** What a page may load and where it may lead to, besides the host itself. */
export interface PageSources {
  readonly scripts: boolean;
  /** Addresses of images. */
  readonly images: readonly string[];
  /** Text of the page's own style elements. */
  readonly styles: readonly string[];
  /** Addresses of forms, and of what their answers redirect to; a scheme such as `https:` stands for all of its own. */
  readonly forms: readonly string[];
  readonly frames: readonly string[];
  /** True where the page's script asks the host. */
  readonly asks: boolean;
  /** Addresses of the files that alone may be loaded. Default: every file of the host. */
  readonly exact?: Readonly<Record<'scripts' | 'styles' | 'workers', readonly string[]>> | undefined;
}

/** Nothing inline but styles by their hash, nothing from elsewhere, and nobody frames it. */
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

/** Browsers hash a style element as their parser leaves it: line ends are line feeds, and NUL is U+FFFD. */
function asParsed(style: string): string {
  return style.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
}

function sources(addresses: readonly string[]): string[] {
  return [...new Set(addresses.map(source).filter((found) => found !== undefined))];
}

/**
 * The source expression of an address. A host that CSP has no words for (IPv6, RFC 3986 punctuation) is let through by
 * its scheme: a `;` in it must not start another directive.
 */
function source(address: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:$/i.test(address)) return address;
  if (!URL.canParse(address)) return undefined;
  const { protocol, host } = new URL(address);
  const plain = /^[a-z0-9._-]+(:\d+)?$/i.test(host);
  return (protocol === 'http:' || protocol === 'https:') && plain ? `${protocol}//${host}` : protocol;
}
