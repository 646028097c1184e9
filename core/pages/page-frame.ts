import type { PageFrame } from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import { defined } from '../model/defined.js';
import type { Realm } from '../model/realm.js';
import { clientPresentation } from './client-presentation.js';
import { chooseLocale, languageLabel, matchLocale, offeredLocales } from './locale/locale.js';
import { readLocaleCookie, setLocaleCookie } from './locale/locale-cookie.js';
import { Texts, type TextTable } from './messages/texts.js';
import type { PageOptions } from './page-writer.js';

/** Returns the language for the pages of a response. */
export function localeOf(exchange: Exchange, uiLocales: string | undefined): string {
  const { ctx, realm } = exchange;
  return chooseLocale(realm, {
    kcLocale: requestedLocale(exchange),
    uiLocales,
    cookie: readLocaleCookie(exchange),
    acceptLanguage: ctx.get('accept-language'),
  });
}

function requestedLocale({ ctx }: Exchange): string | undefined {
  return new URLSearchParams(ctx.querystring).get('kc_locale') ?? undefined;
}

/**
 * Creates the content that all pages of a realm share. It also stores the language that the request chooses by
 * `kc_locale`.
 * @param production true: only https URLs of applications are shown
 */
export function createFrame(
  exchange: Exchange,
  { client, message, uiLocales, address }: PageOptions,
  production: boolean,
): PageFrame {
  const { realm } = exchange;
  const kcLocale = requestedLocale(exchange);
  const locale = localeOf(exchange, uiLocales);
  const offered = offeredLocales(realm);
  if (kcLocale !== undefined && matchLocale(offered, kcLocale) === locale) setLocaleCookie(exchange, locale);
  const texts = new Texts(locale, [realmTexts(realm, locale)]);
  const pageAddress = address ?? requestAddress(exchange);
  return {
    realm: { name: realm.name, displayName: texts.name(realm.view.displayName || realm.name) },
    locale,
    languages:
      offered.length < 2
        ? []
        : offered.map((offeredLocale) => ({
            locale: offeredLocale,
            label: languageLabel(offeredLocale),
            url: withLanguage(pageAddress, offeredLocale),
          })),
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

/** Returns the realm's own texts in a language. */
export function realmTexts({ settings }: Realm, locale: string): TextTable | undefined {
  const tables = settings.texts;
  const matchingTag = Object.keys(tables).find(
    (tag) => tag.replaceAll('_', '-').toLowerCase() === locale.toLowerCase(),
  );
  return matchingTag === undefined ? undefined : tables[matchingTag];
}

/** Returns the path and query of the request as they are in the public URL. */
function requestAddress({ ctx, realm }: Exchange): string {
  const { pathname } = new URL(realm.issuer);
  return `${pathname}${ctx.path.replace(/^\/realms\/[^/]*/, '')}${ctx.search}`;
}

function withLanguage(address: string, locale: string): string {
  const [path = '', query = ''] = address.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('kc_locale', locale);
  return `${path}?${parameters}`;
}
