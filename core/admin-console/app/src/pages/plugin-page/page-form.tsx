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
import { QueryResult } from '../../parts/query-result.tsx';
import { BlockLink } from './block-link.tsx';
import { FormResult } from './form-result.tsx';
import { localizedSchema } from './localized-schema.ts';

const NO_ERRORS = [] as const;

/** A form within the page. */
export function PageForm({ context, form }: { context: PageContext; form: FormBlock }) {
  const { language } = useLanguage();
  const posting = usePosting(context, form, undefined);
  return (
    <section>
      <h2>{textIn(form.title, language)}</h2>
      <BlockLink link={form.link} realm={context.realm} />
      <div className="card">
        <PostedFields context={context} form={form} row={undefined} posting={posting} />
        {posting.isDone && <FormResult context={context} form={form} answer={posting.answer} />}
      </div>
    </section>
  );
}

export type Posting = ReturnType<typeof usePosting>;

/** Sends the values. Afterwards the form is reset, and the tables that it names are read again. */
export function usePosting(context: PageContext, form: FormBlock, row: Row | undefined) {
  const client = useQueryClient();
  const [formKey, setFormKey] = useState(0);
  const change = useMutation({
    mutationFn: (input: Row) => pageChange(context, form.submit, row, input),
    onSuccess: () => {
      setFormKey((before) => before + 1);
      const blockIds = [form.id, ...(form.result?.reload ?? [])];
      return Promise.all(blockIds.map((id) => client.invalidateQueries({ queryKey: readKey(context, id) })));
    },
  });
  return {
    round: formKey,
    post: change.mutate,
    isBusy: change.isPending,
    isDone: change.isSuccess,
    error: change.error,
    answer: change.data,
  };
}

/** The fields, with the errors of the last request. @param onCancel adds a button to cancel */
export function PostedFields(props: {
  context: PageContext;
  form: FormBlock;
  row: Row | undefined;
  posting: Posting;
  onCancel?: () => void;
}) {
  const { form, context, row } = props;
  return form.initial === undefined ? (
    <Fields {...props} value={{}} />
  ) : (
    <LoadedFields {...props} query={pageRead<Row>(context, form.id, form.initial, row)} />
  );
}

type FieldsProps = Parameters<typeof PostedFields>[0];

function LoadedFields({ query, ...props }: FieldsProps & { query: ReturnType<typeof pageRead<Row>> }) {
  // Never refetched while mounted, so that input is not overwritten.
  const initial = useQuery({ ...query, staleTime: Number.POSITIVE_INFINITY, refetchOnMount: 'always' });
  return (
    <QueryResult query={initial}>
      {(value) => <Fields key={initial.dataUpdatedAt} {...props} value={value} />}
    </QueryResult>
  );
}

function Fields({ context, form, posting, onCancel, value }: FieldsProps & { value: Row }) {
  const { cancel } = useMessages();
  const { language } = useLanguage();
  const { error, round, isBusy, post } = posting;
  const located = error instanceof ApiFailure ? error.errors : NO_ERRORS;
  const [localized, setLocalized] = useState({ located, language, errors: errorsIn(located, language) });
  // The list is the same object until there is another answer, since the form focuses the first mistake of every new
  // list.
  if (localized.located !== located || localized.language !== language)
    setLocalized({ located, language, errors: errorsIn(located, language) });
  return (
    <>
      {error !== null && located.length === 0 && <FailureNotice failure={error} />}
      <PostForm
        key={round}
        id={`${context.provider}-${form.id}`}
        schema={localizedSchema(form, language)}
        value={value}
        errors={localized.errors}
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
