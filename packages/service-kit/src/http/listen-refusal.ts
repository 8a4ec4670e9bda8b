import { codeOf } from '../logging/safe-error.ts';
import { SettingError } from '../config/setting-error.ts';

export interface ListenSettings {
  readonly variable: 'HTTP_PORT' | 'OPERATIONS_PORT';
  readonly host: string;
  readonly port: number;
}

const NO_ADDRESS = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN']);

/** A failure to listen, as a sentence that names the variable that is the cause; any other failure stays as it is. */
export function listenRefusal({ variable, host, port }: ListenSettings, error: unknown): unknown {
  const code = codeOf(error);
  const fault = (of: string, problem: string) =>
    new SettingError({ variable: of, problem, code: code ?? 'CANNOT_LISTEN', cause: error });
  if (code === 'EADDRINUSE') {
    return fault(
      variable,
      `a porta ${port} de ${host} já está em uso: libere-a ou defina outra / port ${port} of ${host} is in use already: free it, or set another one`,
    );
  }
  if (code === 'EACCES') {
    return fault(
      variable,
      `este usuário não pode abrir a porta ${port}: defina 1024 ou mais / this user may not open port ${port}: set 1024 or more`,
    );
  }
  if (code !== null && NO_ADDRESS.has(code)) {
    return fault(
      'HTTP_HOST',
      `"${host}" não é um endereço desta máquina: defina um dela, como 127.0.0.1 ou 0.0.0.0 / "${host}" is no address of this machine: set one of its own, such as 127.0.0.1 or 0.0.0.0`,
    );
  }
  return error;
}
