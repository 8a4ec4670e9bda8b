import { Text } from '@gondola/web-kit/ui/text';
import type { ReactNode } from 'react';
import type { FieldReason } from './product-parts.ts';

/** Reasons as sentences, each with its field and its hint: what can be handed to the ERP's people. */
export function Reasons({ reasons }: { reasons: readonly FieldReason[] }): ReactNode {
  return (
    <ul className="reasons">
      {reasons.map(({ code, field, message, hint, skuExternalReference }, index) => (
        <li key={index}>
          <p>
            <Text value={message} />
          </p>
          <p className="muted">
            <code>
              <Text value={[skuExternalReference, field].filter((part) => part !== undefined).join(' · ') || code} />
            </code>
            {hint !== undefined && (
              <>
                {' · '}
                <Text value={hint} />
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
