// image-ssim 0.2 ships a TypeScript source that tsc would compile in place of a declaration; `paths` points here instead.
declare namespace ImageSSIM {
  interface IImage {
    data: ArrayLike<number>
    width: number
    height: number
    /** 1 luma, 2 luma and alpha, 3 RGB, 4 RGBA. Without it the library reads nothing and answers 1. */
    channels: 1 | 2 | 3 | 4
  }
  interface IResult {
    /** Mean structural similarity; NaN where no window has pixels. */
    ssim: number
    /** Mean contrast similarity. */
    mcs: number
  }
  function compare(
    a: IImage,
    b: IImage,
    windowSize?: number,
    k1?: number,
    k2?: number,
    luminance?: boolean,
    bitsPerComponent?: number,
  ): IResult
}
export default ImageSSIM
