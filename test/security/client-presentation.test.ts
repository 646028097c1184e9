import test from 'ava';
import { Browser, CALLBACK, codeRequest, signIn } from '../helpers/form-browser.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

/** URLs that a realm file accepts, but a page must not use. */
const LOGOS = [
  'https://evil.test/x.png"onerror="alert(1)',
  "https://evil.test/x.png';script-src'unsafe-inline",
  'https://evil.test/a;script-src/*/b.png',
  'https://evil.test/a,b.png',
  'https://evil.test/',
  'https://evil.test/folder/',
  'https://*/x.png',
  'https://[::1]/x.png',
  'https://alice:secret@evil.test/x.png',
  'https://evil.test:99999/x.png',
  '/x.png',
];
const realm = testRealm('demo', { providers: {} });
const clients = LOGOS.map((address, index) => ({
  clientId: `asks-${index}`,
  publicClient: true,
  consentRequired: true,
  redirectUris: [CALLBACK],
  attributes: { logoUri: address, policyUri: address, tosUri: address },
}));
const host = shareHost(test, { realms: [{ ...realm, clients: [...(realm.clients ?? []), ...clients] }] });

test('T383 · client presentation: a client’s texts are text and URLs on a page, and open its policy to one image at most', async (t) => {
  for (const [index, address] of LOGOS.entries()) {
    const { url } = codeRequest(host(), { client_id: `asks-${index}` });
    const browser = new Browser();
    for (const page of [await browser.open(url), await signIn(browser, url)]) {
      t.is(page.status, 200, address);
      const policy = page.headers.get('content-security-policy') ?? '';
      const directives = policy.split('; ');
      t.deepEqual(
        directives.map((directive) => directive.split(' ', 1)[0]),
        [
          'default-src',
          'style-src',
          'img-src',
          ...(/script-src/.test(policy) ? ['script-src'] : []),
          'form-action',
          'base-uri',
          'frame-ancestors',
        ],
        address,
      );
      const images = directives.find((directive) => directive.startsWith('img-src')) ?? '';
      t.regex(images, /^img-src 'self' data:( https:\/\/evil\.test\/[^ ]*[^ /])?$/, address);
      t.is(/<img/.test(page.text), images !== "img-src 'self' data:", address);
      t.notRegex(page.text, /<[^>]*\son\w+=|secret|unsafe-inline'|href="\/x\.png/, address);
    }
  }
});
