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
  readonly sendsRequests: boolean;
  /** URLs of the only files that the page may load. Default: every file of the host. */
  readonly exactFiles?: Readonly<Record<'scripts' | 'styles' | 'workers', readonly string[]>> | undefined;
}

/**
 * Creates a page's policy. It allows no inline code except styles by their hash, no external resources except images,
 * and no framing.
 */
export function contentSecurityPolicy({
  scripts,
  images,
  styles,
  forms,
  frames,
  sendsRequests,
  exactFiles,
}: PageSources): string {
  const hashes = styles.map((style) => `'sha256-${hash('sha256', normalizeStyle(style), 'base64')}'`);
  const frameSources = sourceExpressions(frames);
  return [
    "default-src 'none'",
    ['style-src', ...(exactFiles?.styles ?? ["'self'"]), ...hashes].join(' '),
    ["img-src 'self' data:", ...images.map(imageSource).filter((expression) => expression !== undefined)].join(' '),
    ...(styles.length > 0 || exactFiles !== undefined ? ["font-src 'self' data:"] : []),
    ...(scripts ? [['script-src', ...(exactFiles?.scripts ?? ["'self'"])].join(' ')] : []),
    ...(exactFiles === undefined ? [] : [`worker-src ${exactFiles.workers.join(' ') || "'none'"}`]),
    ...(scripts && sendsRequests ? ["connect-src 'self'"] : []),
    ["form-action 'self'", ...sourceExpressions(forms)].join(' '),
    ...(frameSources.length > 0 ? [`frame-src ${frameSources.join(' ')}`] : []),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Normalizes a style element as the HTML parser does before the browser hashes it: line breaks become LF, and NUL
 * becomes U+FFFD.
 */
function normalizeStyle(style: string): string {
  return style.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
}

function sourceExpressions(addresses: readonly string[]): string[] {
  return [...new Set(addresses.map(sourceExpression).filter((expression) => expression !== undefined))];
}

/**
 * Returns the source expression of a URL. CSP cannot express some hosts, such as IPv6 addresses or names with a `;`,
 * which would start another directive. For these it allows the whole scheme.
 */
function sourceExpression(address: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:$/i.test(address)) return address;
  if (!URL.canParse(address)) return undefined;
  const { protocol, host } = new URL(address);
  const isPlainHost = /^[a-z0-9._-]+(:\d+)?$/i.test(host);
  return (protocol === 'http:' || protocol === 'https:') && isPlainHost ? `${protocol}//${host}` : protocol;
}
