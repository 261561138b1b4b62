#include "CNumerics.h"
#include "Library.h"

/* CBLAS has the same names in every library. */

static enum CBLAS_TRANSPOSE trans(bool transposed) { return transposed ? CblasTrans : CblasNoTrans; }

double numerics_dot(int32_t count, const double *x, const double *y) {
  return cblas_ddot(count, x, 1, y, 1);
}

void numerics_gemv(bool transposed, int32_t rows, int32_t columns, const double *a, int32_t a_lead,
                   const double *x, double beta, double *y) {
  cblas_dgemv(CblasColMajor, trans(transposed), rows, columns, 1, a, a_lead, x, 1, beta, y, 1);
}

void numerics_symv(int32_t order, const double *a, int32_t a_lead, const double *x, double *y) {
  cblas_dsymv(CblasColMajor, CblasLower, order, 1, a, a_lead, x, 1, 0, y, 1);
}

void numerics_syrk(bool transposed, int32_t order, int32_t inner, double alpha, const double *a,
                   int32_t a_lead, double beta, double *c, int32_t c_lead) {
  cblas_dsyrk(CblasColMajor, CblasLower, trans(transposed), order, inner, alpha, a, a_lead, beta, c,
              c_lead);
}

void numerics_syr2k(int32_t order, int32_t inner, double alpha, const double *a, int32_t a_lead,
                    const double *b, int32_t b_lead, double *c, int32_t c_lead) {
  cblas_dsyr2k(CblasColMajor, CblasLower, CblasNoTrans, order, inner, alpha, a, a_lead, b, b_lead,
               0, c, c_lead);
}

void numerics_syrk_single(int32_t order, int32_t inner, const float *a, int32_t a_lead, float *c,
                          int32_t c_lead) {
  cblas_ssyrk(CblasColMajor, CblasLower, CblasTrans, order, inner, 1, a, a_lead, 1, c, c_lead);
}

void numerics_gemm(bool a_transposed, bool b_transposed, int32_t rows, int32_t columns,
                   int32_t inner, const double *a, int32_t a_lead, const double *b, int32_t b_lead,
                   double *c, int32_t c_lead) {
  cblas_dgemm(CblasColMajor, trans(a_transposed), trans(b_transposed), rows, columns, inner, 1, a,
              a_lead, b, b_lead, 0, c, c_lead);
}

void numerics_trsv(bool transposed, int32_t order, const double *l, int32_t l_lead, double *x) {
  cblas_dtrsv(CblasColMajor, CblasLower, trans(transposed), CblasNonUnit, order, l, l_lead, x, 1);
}

void numerics_trsm(bool from_right, bool transposed, int32_t rows, int32_t columns,
                   const double *l, int32_t l_lead, double *b, int32_t b_lead) {
  cblas_dtrsm(CblasColMajor, from_right ? CblasRight : CblasLeft, CblasLower, trans(transposed),
              CblasNonUnit, rows, columns, 1, l, l_lead, b, b_lead);
}

void numerics_rot(int32_t count, double *x, double *y, double cosine, double sine) {
  cblas_drot(count, x, 1, y, 1, cosine, sine);
}
