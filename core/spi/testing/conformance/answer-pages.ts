import type { FormBrowser } from '../form-browser.js';
import { type Control, formsOf, isButton } from '../html-forms.js';
import type { Answer, FormValues } from '../realm-client.js';
import type { Observations } from './observed-plugin.js';

/** The maximum number of answered pages, and of answers to the same page, since a step may refuse every answer. */
const MAX_PAGES = 10;
const MAX_REPETITIONS = 3;

/** Signs in to `app` with a password. Returns the next page. */
export async function signInByPassword(browser: FormBrowser, username: string): Promise<Answer> {
  const page = await browser.logIn();
  return (await browser.submit(page, { username, password: username })) ?? page;
}

/**
 * Answers the pages of the plugin as a user does: a page first without input, and then with a value in every field.
 * Polls if a page does so, and returns to the step after a redirect.
 * @param page the first of the pages
 */
export async function answerPages(browser: FormBrowser, page: Answer, seen: Observations): Promise<void> {
  const repetitions = new Map<string, number>();
  let answer: Answer | undefined = page;
  for (let count = 0; count < MAX_PAGES && answer !== undefined; count += 1) {
    const returnTo = returnUrl(answer, seen);
    if (returnTo !== undefined) {
      answer = await browser.get(returnTo);
      continue;
    }
    const [form] = formsOf(answer.text);
    if (form === undefined) return;
    const formKey = form.controls.map(({ name }) => name).join();
    const repetition = (repetitions.get(formKey) ?? 0) + 1;
    repetitions.set(formKey, repetition);
    if (repetition > MAX_REPETITIONS) return;
    const polled = /\sdata-poll="([^"]+)"/.exec(answer.text)?.[1];
    if (polled !== undefined) await browser.get(new URL(polled.replaceAll('&amp;', '&'), answer.url).href);
    answer = await browser.submit(answer, repetition === 1 ? {} : fillFields(answer.text));
  }
}

/** The URL by which the browser returns to the step after the step's redirect. */
function returnUrl({ headers }: Answer, seen: Observations): string | undefined {
  const returnTo = seen.returnAddresses.get(headers.location ?? '');
  if (returnTo === undefined) return undefined;
  seen.returnAddresses.delete(headers.location ?? '');
  const url = new URL(returnTo.url);
  for (const [name, value] of [
    ['state', returnTo.state],
    ['code', 'x'],
  ] as const)
    url.searchParams.set(name, value);
  return url.href;
}

/**
 * Returns a value for every field of a form that a user types, chooses or checks.
 * @param has as for `FormBrowser.submit`
 */
export function fillFields(page: string, has = ''): FormValues {
  const form = formsOf(page).find(({ markup }) => markup.includes(has));
  const typedControls = (form?.controls ?? []).filter(
    (control) => control.name !== '' && control.type !== 'hidden' && !isButton(control),
  );
  return Object.fromEntries(typedControls.map((control) => [control.name, valueFor(control)]));
}

const TYPED_VALUES: Readonly<Record<string, string>> = {
  email: 'someone@example.test',
  tel: '+431234567',
  url: 'http://localhost/',
  number: '1',
  date: '2026-01-01',
  time: '12:00',
  month: '2026-01',
  'datetime-local': '2026-01-01T12:00',
  color: '#000000',
  range: '1',
};

function valueFor({ type, attributes, options }: Control): string {
  if (type === 'checkbox' || type === 'radio') return attributes.get('value') ?? 'on';
  if (type === 'select') return options.find((option) => option !== '') ?? '';
  if (attributes.get('inputmode') === 'numeric') return '471108'.slice(0, Number(attributes.get('maxlength') ?? 6));
  return TYPED_VALUES[type] ?? 'something'.slice(0, Number(attributes.get('maxlength') ?? 9));
}
