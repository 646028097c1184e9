import type { PageFrame } from '@keyhost/spi';
import { renderAlert } from './alert.js';
import { type Html, html, styleElement } from './html.js';
import { textDirection } from './locale/locale.js';
import type { Texts } from './messages/texts.js';
import type { PageBody } from './page-body.js';
import { safeLinkUrl } from './safe-link-url.js';

/** The files and styles of a document. */
export interface DocumentAssets {
  readonly stylesheets: readonly string[];
  readonly scripts: readonly string[];
  /** CSS of the theme. */
  readonly styles: readonly string[];
}

/** Renders the whole document around a page's body. */
export function renderDocument(page: PageFrame, body: PageBody, texts: Texts, assets: DocumentAssets): Html {
  const { locale, realm, message } = page;
  const initial = [...realm.displayName.trim()][0] ?? '';
  return html`<!doctype html>
<html lang="${locale}" dir="${textDirection(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${body.title}</title>
<link rel="icon" href="data:,">
${assets.stylesheets.map((address) => html`<link rel="stylesheet" href="${address}">`)}
${assets.styles.map(styleElement)}
${assets.scripts.map((address) => html`<script src="${address}" ${address.endsWith('.mjs') ? html`type="module"` : html`defer`}></script>`)}
</head>
<body>
<header id="kc-header"><div id="kc-header-wrapper"><span class="mark" aria-hidden="true">${initial.toLocaleUpperCase(locale)}</span><span>${realm.displayName}</span></div>${body.site?.person}</header>
${body.site?.navigation}
<main id="kc-content">
${body.logo !== undefined && html`<img class="client-logo" id="kc-client-logo" src="${safeLinkUrl(body.logo)}" alt="" referrerpolicy="no-referrer">`}
<h1 id="kc-page-title">${body.heading}</h1>
${body.subtitle !== undefined && html`<p class="subtitle">${body.subtitle}</p>`}
${message !== undefined && body.showsMessage !== true && renderAlert(texts, message)}
${body.content}
</main>
${renderLanguageLinks(page, texts)}
</body>
</html>
`;
}

function renderLanguageLinks({ languages, locale }: PageFrame, texts: Texts): Html | undefined {
  if (languages.length < 2) return undefined;
  const links = languages.map(
    (language) =>
      html`<li><a href="${safeLinkUrl(language.url)}" hreflang="${language.locale}" lang="${language.locale}"${language.locale === locale && html` aria-current="true"`}>${language.label}</a></li>`,
  );
  return html`<footer><nav id="kc-locale" aria-label="${texts.of('languages')}"><ul>${links}</ul></nav></footer>`;
}
