import { useState } from 'react';
import { type Upload, uploadFile } from './upload-file.ts';

/** A file that an operator chose, on its way to the app. */
export type Uploading = { readonly key: string; readonly name: string; readonly size: number } & (
  | { readonly state: 'sending'; readonly share: number }
  | { readonly state: 'stored'; readonly upload: Upload }
  | { readonly state: 'failed'; readonly error: unknown }
);

export interface Uploads {
  readonly all: readonly Uploading[];
  /** Sends files, one after the other, in their order. */
  readonly add: (files: readonly File[]) => Promise<void>;
  readonly remove: (key: string) => void;
  readonly clear: () => void;
}

export function useUploads(tenant: string): Uploads {
  const [all, setAll] = useState<readonly Uploading[]>([]);
  const change = (key: string, changed: Uploading) =>
    setAll((before) => before.map((each) => (each.key === key ? changed : each)));
  const send = async (file: File, whole: Pick<Uploading, 'key' | 'name' | 'size'>) => {
    const onProgress = (share: number) => change(whole.key, { ...whole, state: 'sending', share });
    try {
      change(whole.key, { ...whole, state: 'stored', upload: await uploadFile({ tenant, file, onProgress }) });
    } catch (error) {
      change(whole.key, { ...whole, state: 'failed', error });
    }
  };
  return {
    all,
    add: async (files) => {
      const added = files.map((file) => ({ file, key: crypto.randomUUID(), name: file.name, size: file.size }));
      const begun = added.map(({ file: _file, ...whole }) => ({ ...whole, state: 'sending' as const, share: 0 }));
      setAll((before) => [...before, ...begun]);
      for (const { file, ...whole } of added) await send(file, whole);
    },
    remove: (key) => setAll((before) => before.filter((each) => each.key !== key)),
    clear: () => setAll([]),
  };
}
