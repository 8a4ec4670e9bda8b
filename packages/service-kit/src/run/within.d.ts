/** True if `work` settles within `ms`; otherwise `work` continues. Never throws the error of `work`. */
export declare function settlesWithin(ms: number, work: Promise<unknown>): Promise<boolean>;
