import { type Plugin, provide, RealmResourceProvider } from '@keyhost/spi';
import { FormBrowser, startHost } from '@keyhost/spi/testing';
import test from 'ava';

const PAGE = `<!doctype html><form action="/realms/test/forms/other" method="post"><input name="x"></form>
<form method="post" action='/realms/test/forms?a=1&amp;b=2'>
  <input type=hidden name=token value="a&quot;b&#39;&gt;c"><input name="title" value='old > new'><input name="off" disabled value="1">
  <input type="checkbox" name="news" value="yes" checked><input type="checkbox" name="spam"><input type="radio" name="size" value="s">
  <input type="radio" name="size" value="m" checked><textarea name="note">
 first
second</textarea>
  <select name="land"><option value="" disabled>–</option><option value="at">Austria</option><option>Denmark</option></select>
  <select name="days" multiple><option selected>mon</option><option>tue</option><option selected>wed</option></select>
  <select name="lang"><option>en</option><option value="de" selected>German</option></select>
  <button type="button" name="script" value="1">No</button><input type="submit" name="save" value="Save">
  <button name="drop" value="1">Drop</button><button type="reset" name="clear">Clear</button>
</form>
<form action="/realms/test/forms/search"><input name="q" value="x y"><button>Find</button></form>`;

const plugin: Plugin = {
  name: 'forms',
  api: 1,
  providers: [
    provide(RealmResourceProvider, {
      id: 'forms',
      routes: {
        page: { method: 'GET', path: '/', authentication: 'none' },
        sent: { method: 'POST', path: '/', consumes: 'application/x-www-form-urlencoded', authentication: 'none' },
        other: {
          method: 'POST',
          path: '/other',
          consumes: 'application/x-www-form-urlencoded',
          authentication: 'none',
        },
        search: { method: 'GET', path: '/search', authentication: 'none' },
      },
      open: () => ({
        create: () => ({
          page: async () => ({ headers: { 'content-type': 'text/html' }, body: new TextEncoder().encode(PAGE) }),
          sent: async ({ query, body }) => ({ body: { query, form: new TextDecoder().decode(body as Uint8Array) } }),
          other: async () => ({ status: 303, headers: { location: '/realms/test/forms/search?q=back' } }),
          search: async ({ query }) => ({ body: { found: query.q ?? [] } }),
        }),
      }),
    }),
  ],
};

test('form browser: a form is sent as a browser sends it: checked, selected and typed fields, and the pressed button', async (t) => {
  const host = await startHost(t, { plugins: [plugin] });
  const browser = new FormBrowser(host.realm());
  const page = await browser.get('/forms');
  const sent = async (fields: Parameters<FormBrowser['submit']>[1]) => {
    const answer = await browser.submit(page, fields, 'name="save"');
    const { query, form } = (answer?.json ?? {}) as { query?: object; form?: string };
    t.deepEqual(query, { a: ['1'], b: ['2'] });
    return [...new URLSearchParams(form)].map(([name, value]) => `${name}=${value}`);
  };
  const same = ['token=a"b\'>c', 'title=old > new', 'news=yes', 'size=m', 'note= first\r\nsecond', 'land=at'];
  const listed = ['days=mon', 'days=wed', 'lang=de'];
  t.deepEqual(await sent({}), [...same, ...listed, 'save=Save']);
  t.deepEqual(await sent({ drop: '1' }), [...same, ...listed, 'drop=1']);
  t.deepEqual(await sent({ days: ['tue', 'wed'], news: [], spam: 'on', title: 'new' }), [
    'token=a"b\'>c',
    'title=new',
    'spam=on',
    'size=m',
    'note= first\r\nsecond',
    'land=at',
    'days=tue',
    'days=wed',
    'lang=de',
    'save=Save',
  ]);
  t.deepEqual((await browser.submit(page, { q: 'a&b' }, 'name="q"'))?.json, { found: ['a&b'] });
  t.deepEqual(
    (await browser.submit(page, {}))?.json,
    { found: ['back'] },
    'the first form, and the redirect of its answer',
  );
  t.is(await browser.submit(page, {}, 'no such form'), undefined);
});
