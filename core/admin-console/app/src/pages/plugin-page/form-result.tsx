import { useClientNames, useUserNames } from '../../api/names.ts';
import { type FormBlock, type PageContext, type Row, textIn, valueAt } from '../../api/plugin-pages.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { PageValue } from './page-value.tsx';
import { texts } from './texts.ts';

/**
 * The parts of an operation's answer that its form declares. Values that are never shown again have a button to copy
 * them.
 */
export function FormResult({
  context,
  form,
  answer = {},
}: {
  context: PageContext;
  form: FormBlock;
  answer: Row | undefined;
}) {
  const strings = useTexts(texts);
  const { language } = useLanguage();
  const show = form.result?.show ?? [];
  const idsOf = (kind: 'user' | 'client') => show.filter(({ as }) => as === kind).map(({ at }) => valueAt(answer, at));
  const names = {
    users: useUserNames(context.realm, idsOf('user')),
    clients: useClientNames(context.realm, idsOf('client')),
  };
  return (
    <div className="notice notice-good form-result" role="status">
      <p>{strings.done(textIn(form.title, language))}</p>
      {isOnce(form) && <p>{strings.once}</p>}
      <dl>
        {show.map(({ title, at, as, once }) => {
          const value = valueAt(answer, at);
          const name = textIn(title, language);
          const isCopied = (once === true || as === 'code') && value !== undefined && value !== null;
          return (
            <div key={at}>
              <dt>{name}</dt>
              <dd>
                <PageValue value={value} as={as} realm={context.realm} names={names} />
                {isCopied && <CopyButton text={String(value)} label={name} />}
              </dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}

/** True if part of the result is shown only once. */
export function isOnce({ result }: FormBlock): boolean {
  return result?.show.some(({ once }) => once) ?? false;
}
