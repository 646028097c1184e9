import type { Message } from '@keyhost/spi';

type Texts = Message & { readonly texts: { readonly en: string; readonly de: string } };
const text = (key: string, en: string, de: string): Texts => ({ key, texts: { en, de } });

/** Texts of the fields and of the step's page. */
export const PAGE = {
  title: text('altchaTitle', 'Checking your browser', 'Ihr Browser wird geprüft'),
  label: text('altchaLabel', 'Protection against robots', 'Schutz vor Robotern'),
  // The script of the page replaces this text.
  noScript: text(
    'altchaNoScript',
    'This check needs JavaScript. Enable it in your browser, and load the page again.',
    'Diese Prüfung braucht JavaScript. Schalten Sie es in Ihrem Browser ein, und laden Sie die Seite neu.',
  ),
  failed: text(
    'altchaFailed',
    'The check against robots has not succeeded. Please try again.',
    'Die Prüfung auf Roboter ist nicht gelungen. Bitte versuchen Sie es noch einmal.',
  ),
};

/** Texts that the script shows. */
const SCRIPT = {
  working: text('altchaWorking', 'Your browser is solving a small task …', 'Ihr Browser löst eine kleine Aufgabe …'),
  waiting: text(
    'altchaWaiting',
    'One moment, please: the form is sent as soon as the task is solved.',
    'Einen Moment bitte: Das Formular wird gesendet, sobald die Aufgabe gelöst ist.',
  ),
  done: text('altchaDone', 'The check is done.', 'Die Prüfung ist fertig.'),
  broken: text(
    'altchaBroken',
    'Your browser cannot solve the task. Load the page again, or use another browser.',
    'Ihr Browser kann die Aufgabe nicht lösen. Laden Sie die Seite neu, oder nehmen Sie einen anderen Browser.',
  ),
};

/** The texts of the script in the language of the page. @param locale a BCP 47 tag */
export function scriptTexts(locale: string): Readonly<Record<string, string>> {
  const language = locale.split('-')[0] === 'de' ? 'de' : 'en';
  return Object.fromEntries(Object.entries(SCRIPT).map(([name, { texts }]) => [name, texts[language]]));
}
