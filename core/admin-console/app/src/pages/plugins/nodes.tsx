import type { Node } from '../../api/plugins.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from './texts.ts';

/** The nodes that serve from the same store, with their differences. @param module limits the list to one plugin */
export function Nodes({
  nodes,
  differences = [],
  module,
}: {
  nodes: readonly Node[];
  differences?: readonly string[] | undefined;
  module?: string;
}) {
  const strings = useTexts(texts);
  const columns: readonly Column<Node>[] = [
    { title: strings.node, show: ({ name }) => name },
    { title: 'Keyhost', isMinor: true, show: ({ version }) => version },
    { title: strings.since, isMinor: true, show: ({ since }) => <Time at={since} /> },
    { title: strings.caption, show: (node) => <NodePlugins node={node} module={module} /> },
  ];
  return (
    <section>
      <h2>{strings.nodes}</h2>
      {differences.length > 0 && (
        <div className="notice notice-warning">
          <h3>{strings.differences}</h3>
          <ul>
            {differences.map((difference) => (
              <li key={difference}>{difference}</li>
            ))}
          </ul>
        </div>
      )}
      <DataTable caption={strings.nodes} columns={columns} rows={nodes} keyOf={({ id }) => id} />
    </section>
  );
}

function NodePlugins({ node: { plugins }, module }: { node: Node; module: string | undefined }) {
  const { states } = useTexts(texts);
  const { none } = useMessages();
  const matching = plugins.filter((plugin) => module === undefined || plugin.module === module);
  if (matching.length === 0) return none;
  return matching.map(({ module: name, version, state }) => (
    <div key={name}>
      {name} {version} {state !== 'running' && <small>{states[state as keyof typeof states] ?? state}</small>}
    </div>
  ));
}
