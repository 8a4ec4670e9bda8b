import type { Language } from '@gondola/shared/outcomes/reason-codes';
import type { FetchRefusal } from './allowed-url.ts';

/** Hints of `CONTENT_NOT_ALLOWED`. */
export const FETCH_TEXTS: Readonly<Record<Language, Readonly<Record<FetchRefusal, string>>>> = {
  'pt-BR': {
    'url-malformed': 'O endereço não é um URL válido.',
    'url-not-https': 'O endereço deve começar com https://.',
    'url-user-info': 'O endereço não pode conter usuário nem senha.',
    'host-not-allowed': 'O servidor do endereço não está em files.allowedHosts da loja.',
    'address-not-allowed': 'O endereço leva a uma rede que não é a internet.',
    'too-many-redirects': 'O endereço redireciona vezes demais.',
    encoded: 'O servidor respondeu com o conteúdo comprimido.',
    'no-root': 'Esta instalação não tem FILES_ROOT, portanto não lê arquivos por "path".',
    'path-outside': 'O caminho sai da pasta da loja, ou não é um arquivo.',
    'not-there': 'Não há nada neste endereço ou caminho.',
    unreachable: 'O servidor do endereço não entregou o conteúdo.',
    'too-large': 'O conteúdo passa do limite de tamanho.',
  },
  en: {
    'url-malformed': 'The address is no valid URL.',
    'url-not-https': 'The address must begin with https://.',
    'url-user-info': 'The address must hold neither user nor password.',
    'host-not-allowed': "The address's host is not in the tenant's files.allowedHosts.",
    'address-not-allowed': 'The address leads to a network that is not the internet.',
    'too-many-redirects': 'The address redirects too many times.',
    encoded: 'The server answered with compressed content.',
    'no-root': 'This installation has no FILES_ROOT, so it reads no files by "path".',
    'path-outside': "The path leads out of the tenant's folder, or is no file.",
    'not-there': 'There is nothing at this address or path.',
    unreachable: "The address's server did not deliver the content.",
    'too-large': 'The content is over the size limit.',
  },
};
