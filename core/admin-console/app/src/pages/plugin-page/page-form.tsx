import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import {
  errorsIn,
  type FormBlock,
  type PageContext,
  pageChange,
  pageRead,
  type Row,
  readKey,
  textIn,
} from '../../api/plugin-pages.ts';
import { PostForm } from '../../form/post-form.tsx';
import { useLanguage, useMessages } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { QueryResult } from '../../parts/loaded.tsx';
import { BlockLink } from './block-link.tsx';
import { FormResult } from './form-result.tsx';
import { localizedSchema } from './localized-schema.ts';

const NO_ERRORS = [] as const;

/** A form within the page. */
export function PageForm({ shown, form }: { shown: PageContext; form: FormBlock }) {
  const { language } = useLanguage();
  const posting = usePosting(shown, form, undefined);
  return (
    <section>
      <h2>{textIn(form.title, language)}</h2>
      <BlockLink link={form.link} realm={shown.realm} />
      <div className="card">
        <PostedFields shown={shown} form={form} row={undefined} posting={posting} />
        {posting.isDone && <FormResult shown={shown} form={form} answer={posting.answer} />}
      </div>
    </section>
  );
}

export type Posting = ReturnType<typeof usePosting>;

/** Sends the values. Afterwards the form is reset, and the tables that it names are read again. */
export function usePosting(shown: PageContext, form: FormBlock, row: Row | undefined) {
  const client = useQueryClient();
  const [round, setRound] = useState(0);
  const change = useMutation({
    mutationFn: (filled: Row) => pageChange(shown, form.submit, row, filled),
    onSuccess: () => {
      setRound((before) => before + 1);
      const read = [form.id, ...(form.result?.reload ?? [])];
      return Promise.all(read.map((id) => client.invalidateQueries({ queryKey: readKey(shown, id) })));
    },
  });
  return {
    round,
    post: change.mutate,
    isBusy: change.isPending,
    isDone: change.isSuccess,
    error: change.error,
    answer: change.data,
  };
}

/** The fields, with the errors of the last request. @param onCancel adds a button to cancel */
export function PostedFields(props: {
  shown: PageContext;
  form: FormBlock;
  row: Row | undefined;
  posting: Posting;
  onCancel?: () => void;
}) {
  const { form, shown, row } = props;
  return form.initial === undefined ? (
    <Fields {...props} value={{}} />
  ) : (
    <Begun {...props} query={pageRead<Row>(shown, form.id, form.initial, row)} />
  );
}

type FieldsProps = Parameters<typeof PostedFields>[0];

function Begun({ query, ...props }: FieldsProps & { query: ReturnType<typeof pageRead<Row>> }) {
  // Never refetched while mounted, so that input is not overwritten.
  const begun = useQuery({ ...query, staleTime: Number.POSITIVE_INFINITY, refetchOnMount: 'always' });
  return (
    <QueryResult query={begun}>{(value) => <Fields key={begun.dataUpdatedAt} {...props} value={value} />}</QueryResult>
  );
}

function Fields({ shown, form, posting, onCancel, value }: FieldsProps & { value: Row }) {
  const { cancel } = useMessages();
  const { language } = useLanguage();
  const { error, round, isBusy, post } = posting;
  const located = error instanceof ApiFailure ? error.errors : NO_ERRORS;
  const [told, setTold] = useState({ located, language, errors: errorsIn(located, language) });
  // The same list until there is another answer, since the form focuses a mistake only once.
  if (told.located !== located || told.language !== language)
    setTold({ located, language, errors: errorsIn(located, language) });
  return (
    <>
      {error !== null && located.length === 0 && <FailureNotice failure={error} />}
      <PostForm
        key={round}
        id={`${shown.provider}-${form.id}`}
        schema={localizedSchema(form, language)}
        value={value}
        errors={told.errors}
        isBusy={isBusy}
        submitTitle={textIn(form.submitTitle, language)}
        onSubmit={(filled) => post(filled)}
      >
        {onCancel !== undefined && (
          <button type="button" disabled={isBusy} onClick={onCancel}>
            {cancel}
          </button>
        )}
      </PostForm>
    </>
  );
}
