Attribute VB_Name = "valet_errors"
' What becomes of errors on their way from Python. Private, so that Excel offers none of it as a worksheet function.
Option Explicit
Option Private Module

Public LastFailure As String

' What a cell shows if a function could not be called at all; About gives the reason.
Public Function FailedCall(Description As String) As Variant
    LastFailure = LastLine(Description)
    FailedCall = CVErr(xlErrValue)
End Function

' A function's cells for Excel. On its way from Python an error loses which one it is: ours are all #VALUE!.
Public Function Shown(ByVal Cells As Variant) As Variant
    Dim Row As Long, Column As Long
    If IsError(Cells) Then
        Cells = CVErr(xlErrValue)
    ElseIf IsArray(Cells) Then
        If HasColumns(Cells) Then
            For Row = LBound(Cells, 1) To UBound(Cells, 1)
                For Column = LBound(Cells, 2) To UBound(Cells, 2)
                    If IsError(Cells(Row, Column)) Then Cells(Row, Column) = CVErr(xlErrValue)
                Next
            Next
        Else
            For Row = LBound(Cells) To UBound(Cells)
                If IsError(Cells(Row)) Then Cells(Row) = CVErr(xlErrValue)
            Next
        End If
    End If
    Shown = Cells
End Function

' Whether an array has two dimensions: a single row comes with one.
Private Function HasColumns(Cells As Variant) As Boolean
    Dim Last As Long
    On Error Resume Next
    Last = UBound(Cells, 2)
    HasColumns = (Err.Number = 0)
End Function

Public Function LastLine(ByVal Text As String) As String
    Dim Lines() As String, At As Long
    Lines = Split(Replace(Text, vbCr, vbLf), vbLf)
    For At = UBound(Lines) To 0 Step -1
        LastLine = Trim$(Lines(At))
        If LastLine <> "" Then Exit Function
    Next
End Function
