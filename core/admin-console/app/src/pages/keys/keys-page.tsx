import { useState } from 'react';
import type { RealmKey, RealmKeys } from '../../api/keys.ts';
import { useHasAllRights, useRights } from '../../api/rights.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { RotateKey } from '../key/rotate-key.tsx';
import { texts as keyPageTexts } from '../key/texts.ts';
import { ImportKey } from './import-key.tsx';
import { useKeyColumns } from './key-columns.tsx';
import { inListOrder } from './key-state.ts';
import { texts as keysTexts } from './texts.ts';
import { useRealmKeys } from './use-realm-keys.ts';

export default function KeysPage({ realm }: { realm: string }) {
  const texts = useTexts(keysTexts);
  const realmKeys = useRealmKeys(realm);
  return (
    <Page title={texts.title(realm)} lead={texts.lead}>
      <QueryResult query={realmKeys.query}>
        {(keys) => <KeyList realm={realm} keys={keys} parts={realmKeys} />}
      </QueryResult>
    </Page>
  );
}

function KeyList(props: { realm: string; keys: RealmKeys; parts: ReturnType<typeof useRealmKeys> }) {
  const { realm, keys, parts } = props;
  const texts = useTexts(keysTexts);
  const { rotated } = useTexts(keyPageTexts);
  const canManage = useRights(realm)('manage-realm');
  const mayImport = useHasAllRights(realm);
  const [rotating, setRotating] = useState<RealmKey>();
  const [isImporting, setImporting] = useState(false);
  const [done, setDone] = useState<string>();
  const columns = useKeyColumns(realm, keys, { ...parts, onRotate: canManage ? setRotating : undefined });
  return (
    <section>
      {!canManage && <p className="notice">{texts.readOnly}</p>}
      {canManage && (
        <div className="section-head">
          {mayImport ? (
            <button type="button" onClick={() => setImporting(true)}>
              {texts.import}
            </button>
          ) : (
            <p className="help">{texts.importRole}</p>
          )}
        </div>
      )}
      <Outcome done={done} />
      <DataTable caption={texts.caption} columns={columns} rows={inListOrder(keys.keys)} keyOf={({ kid }) => kid} />
      {rotating !== undefined && (
        <RotateKey
          realm={realm}
          keyToRotate={rotating}
          keys={keys}
          use={parts.findUse(rotating)}
          component={parts.componentOf(rotating)}
          onRotated={() => setDone(rotated(rotating.algorithm))}
          onClose={() => setRotating(undefined)}
        />
      )}
      {isImporting && (
        <ImportKey
          realm={realm}
          keys={keys.keys}
          onImported={() => setDone(texts.imported)}
          onClose={() => setImporting(false)}
        />
      )}
    </section>
  );
}
