import type { PageFrame } from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import { defined } from '../model/defined.js';
import type { Realm } from '../model/realm.js';
import { clientPresentation } from './client-presentation.js';
import { chooseLocale, languageLabel, matchLocale, offeredLocales } from './locale/locale.js';
import { readLocaleCookie, setLocaleCookie } from './locale/locale-cookie.js';
import { Texts, type TextTable } from './messages/texts.js';
import type { PageExtra } from './page-writer.js';

/** The language of the response's pages. */
export function localeOf(exchange: Exchange, uiLocales: string | undefined): string {
  const { ctx, realm } = exchange;
  return chooseLocale(realm, {
    kcLocale: chosenLocale(exchange),
    uiLocales,
    cookie: readLocaleCookie(exchange),
    acceptLanguage: ctx.get('accept-language'),
  });
}

function chosenLocale({ ctx }: Exchange): string | undefined {
  return new URLSearchParams(ctx.querystring).get('kc_locale') ?? undefined;
}

/**
 * The common content of all pages of a realm. Also stores the language that the request chooses.
 * @param production true: only https URLs of applications are shown
 */
export function frameOf(
  exchange: Exchange,
  { client, message, uiLocales, address }: PageExtra,
  production: boolean,
): PageFrame {
  const { realm } = exchange;
  const kcLocale = chosenLocale(exchange);
  const locale = localeOf(exchange, uiLocales);
  const offered = offeredLocales(realm);
  if (kcLocale !== undefined && matchLocale(offered, kcLocale) === locale) setLocaleCookie(exchange, locale);
  const texts = new Texts(locale, [realmTexts(realm, locale)]);
  const own = address ?? ownAddress(exchange);
  return {
    realm: { name: realm.name, displayName: texts.name(realm.view.displayName || realm.name) },
    locale,
    languages:
      offered.length < 2
        ? []
        : offered.map((other) => ({ locale: other, label: languageLabel(other), url: inLanguage(own, other) })),
    ...(client === undefined
      ? {}
      : {
          client: {
            clientId: client.clientId,
            name: texts.name(client.view.name || client.clientId),
            ...clientPresentation(client, production || realm.issuer.startsWith('https:')),
          },
        }),
    ...defined({ message }),
  };
}

/** The realm's own texts in a language. */
export function realmTexts({ settings }: Realm, locale: string): TextTable | undefined {
  const tables = settings.texts;
  const found = Object.keys(tables).find((tag) => tag.replaceAll('_', '-').toLowerCase() === locale.toLowerCase());
  return found === undefined ? undefined : tables[found];
}

/** Path and query of the request in the public URL. */
function ownAddress({ ctx, realm }: Exchange): string {
  const { pathname } = new URL(realm.issuer);
  return `${pathname}${ctx.path.replace(/^\/realms\/[^/]*/, '')}${ctx.search}`;
}

function inLanguage(address: string, locale: string): string {
  const [path = '', query = ''] = address.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('kc_locale', locale);
  return `${path}?${parameters}`;
}
