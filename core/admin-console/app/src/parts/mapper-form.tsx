import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Mapper, MapperRequest } from '../api/mappers.ts';
import { useMessages, useTexts } from '../messages/language.tsx';
import { ConfigFields } from './config-fields.tsx';
import { configRequest, defaultsOf, type ShownProperty } from './config-values.ts';
import { DialogForm } from './dialog-form.tsx';
import { ChoiceField, TextField } from './field.tsx';
import { texts as mapperTexts } from './mapper-texts.ts';
import { useModal } from './use-modal.ts';

/** A type of mapper with its settings. */
export interface ShownKind {
  readonly id: string;
  readonly name: string;
  readonly helpText?: string;
  readonly properties: readonly ShownProperty[];
}

interface DialogProps {
  readonly realm: string;
  readonly kinds: readonly ShownKind[];
  readonly onClose: () => void;
}

/** Adds a mapper. @param props.onSave creates it */
export function NewMapperDialog({
  realm,
  kinds,
  onSave,
  onClose,
}: DialogProps & { onSave: (mapper: MapperRequest) => Promise<void> }) {
  const texts = useTexts(mapperTexts);
  const [name, setName] = useState('');
  const [kind = kinds[0], setKind] = useState<ShownKind>();
  const [config, setConfig] = useState(() => defaultsOf(kind?.properties ?? []));
  const save = useMutation({ mutationFn: onSave, onSuccess: onClose });
  if (kind === undefined) return null;
  const choose = (id: string) => {
    const chosen = kinds.find((one) => one.id === id) ?? kind;
    setKind(chosen);
    setConfig(defaultsOf(chosen.properties));
  };
  return (
    <DialogForm
      title={texts.add}
      action={texts.addAction}
      isReady={name.trim() !== ''}
      isBusy={save.isPending}
      failure={save.error}
      onSubmit={() => save.mutate({ name: name.trim(), kind: kind.id, config: configRequest(kind.properties, config) })}
      onClose={onClose}
    >
      <ChoiceField
        label={texts.kind}
        help={kind.helpText}
        value={kind.id}
        options={kinds.map((one) => [one.id, one.name])}
        onChange={choose}
      />
      <TextField label={texts.name} required value={name} onChange={({ target }) => setName(target.value)} />
      <ConfigFields
        realm={realm}
        properties={kind.properties}
        value={config}
        onChange={(change) => setConfig({ ...config, ...change })}
      />
    </DialogForm>
  );
}

/** Edits a mapper, or shows it read-only. @param props.onSave absent if the user may not change it */
export function MapperDialog(
  props: DialogProps & {
    mapper: Mapper;
    onSave: ((mapper: Mapper) => Promise<void>) | undefined;
  },
) {
  const { realm, kinds, mapper, onSave, onClose } = props;
  const texts = useTexts(mapperTexts);
  const { form } = useMessages();
  const kind = kinds.find(({ id }) => id === mapper.kind);
  const [name, setName] = useState(mapper.name);
  // A choice that was never made has its default.
  const [config, setConfig] = useState(() => ({
    ...defaultsOf(kind?.properties.filter(({ type }) => type === 'List') ?? []),
    ...mapper.config,
  }));
  const save = useMutation({ mutationFn: async (sent: Mapper) => onSave?.(sent), onSuccess: onClose });
  const isReadOnly = onSave === undefined;
  const fields = (
    <>
      <div>
        <p className="field-name">{texts.kind}</p>
        <p>{kind?.name ?? mapper.kind}</p>
        <p className="help">{kind === undefined ? texts.unknownKind : kind.helpText}</p>
      </div>
      <TextField
        label={texts.name}
        required
        value={name}
        readOnly={isReadOnly}
        onChange={({ target }) => setName(target.value)}
      />
      <ConfigFields
        realm={realm}
        properties={kind?.properties ?? []}
        value={config}
        isReadOnly={isReadOnly}
        onChange={(change) => setConfig({ ...config, ...change })}
      />
    </>
  );
  if (isReadOnly) return <ReadOnlyDialog title={texts.titleOf(mapper.name)} onClose={onClose} fields={fields} />;
  return (
    <DialogForm
      title={texts.titleOf(mapper.name)}
      action={form.save}
      isReady={name.trim() !== ''}
      isBusy={save.isPending}
      failure={save.error}
      onSubmit={() =>
        save.mutate({ ...mapper, name: name.trim(), config: configRequest(kind?.properties ?? [], config) })
      }
      onClose={onClose}
    >
      {fields}
    </DialogForm>
  );
}

function ReadOnlyDialog({ title, fields, onClose }: { title: string; fields: ReactNode; onClose: () => void }) {
  const { close } = useMessages();
  const ref = useModal();
  return (
    <dialog ref={ref} aria-label={title} onClose={onClose}>
      <div className="fields">
        <h2>{title}</h2>
        {fields}
        <p className="actions dialog-actions">
          <button type="button" onClick={() => ref.current?.close()}>
            {close}
          </button>
        </p>
      </div>
    </dialog>
  );
}
