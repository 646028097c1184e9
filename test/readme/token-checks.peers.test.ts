import test from 'ava';
import { writePeerRow } from '../helpers/peer-table.js';
import { checkTokensBy, LANGUAGES, obstacle } from './token-check-programs.js';

const LIBRARIES: Readonly<Record<string, string>> = {
  Python: 'PyJWT 2',
  Go: 'go-oidc 3',
  Java: 'Nimbus JOSE + JWT 10',
};

for (const language of LANGUAGES.filter(({ title }) => title in LIBRARIES)) {
  const { title } = language;
  const reason = obstacle(language);
  const name = `token checks: the printed ${title} program accepts tokens for the API alone`;
  if (reason !== undefined) test.skip(`${name} (${reason})`, () => {});
  else {
    test.serial(name, async (t) => {
      await checkTokensBy(t, language);
      await writePeerRow({ date: new Date(), beside: LIBRARIES[title] ?? title, test: name, result: 'passed' });
    });
  }
}
